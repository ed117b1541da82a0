import { actingOrganizer } from '../../browser/acting.ts'
import { newId } from '#shared/record/new-id.ts'
import { withOtherId } from './mutations/other-id.ts'
import type { Entry, NewEntry } from './entry.ts'
import { basisIn, basisOf, isConflict, rebaseDependents, withLaneBasis } from './mutations/entry-basis.ts'
import type { Mutation } from './mutations/mutation.ts'
import { findKnown } from './mutations/mutations.ts'
import { advance, isRefusalKept, laneOf, neverLeft, step, withLanes } from './outbox-machine.ts'
import type { OutboxStore } from './store/outbox-store.ts'
import type { WakeReason } from '../drain/wake.ts'

type Discarded =
  | 'discarded'
  | 'cancelled'
  | 'already-happened'
  /** The server will be asked later; the change is never sent again. */
  | 'unknown'
  | 'not-found'

export interface OutboxDependencies {
  readonly store: OutboxStore
  /** The time is in milliseconds since the epoch. */
  readonly now: () => number
  readonly newKey: () => string
  readonly wake: (reason: WakeReason) => unknown
  readonly cancel: (account: number | null, key: string) => Promise<'cancelled' | 'already-happened' | 'unknown'>
}

export type Outbox = ReturnType<typeof createOutbox>

/**
 * An entry that leaves the queue without having happened: its followers are made on what it was made on, and may be
 * free.
 */
export function withoutEntry(entries: readonly Entry[], gone: Entry): { put: Entry[]; remove: number[] } {
  return { put: withLanes(entries, rebaseDependents(entries, gone, basisOf(gone)), [gone.seq]), remove: [gone.seq] }
}

export function createOutbox({ store, now, newKey, wake, cancel }: OutboxDependencies) {
  const changeOne = async <T>(
    seq: number,
    missing: T,
    decide: (entry: Entry, entries: readonly Entry[]) => { put?: Entry[]; remove?: number[]; result: T },
  ) => {
    const { result } = await store.change('all', ({ entries }) => {
      const entry = entries.find((candidate) => candidate.seq === seq)
      return entry ? decide(entry, entries) : { result: missing }
    })
    return result
  }

  const changeAndWake = async <T>(...[seq, refused, decide]: Parameters<typeof changeOne<T>>) => {
    const result = await changeOne(seq, refused, decide)
    if (result !== refused) wake('enqueue')
    return result
  }

  const resend = (
    entry: Entry,
    entries: readonly Entry[],
    args: unknown,
    argsVersion: number,
    key: string,
  ): Entry[] => {
    const next = step(
      entry,
      entry.state === 'parked' ? { type: 'retried', key, args, argsVersion } : { type: 'edited', args, argsVersion },
    )
    if (next === 'gone') return []
    return withLanes(entries, [next, ...rebaseDependents(entries, entry, key)])
  }

  return {
    /**
     * Resolves when the change is on disk.
     * @param organizerId for whom; absent: for whom this page acts
     * @param key of a change that may have been written before; absent: a new one
     * @param rehearsal the change is never sent, see `Entry`
     */
    async enqueue<A>(
      mutation: Mutation<A>,
      args: A,
      {
        userId,
        key = newKey(),
        organizerId = userId === null ? undefined : actingOrganizer(),
        rehearsal,
      }: Pick<Entry, 'userId' | 'organizerId' | 'rehearsal'> & { readonly key?: string },
    ): Promise<Entry> {
      const lane = mutation.lane(args)
      const { added, result } = await store.change<Entry | undefined>([lane], ({ entries }) => {
        const here = entries.find((entry) => entry.key === key)
        if (here) return { result: here }
        const mine = entries.filter((entry) => entry.lane === lane && entry.userId === userId)
        const isBlocked = mine.some((entry) => entry.state === 'parked')
        const entry: NewEntry = {
          key,
          userId,
          ...(organizerId === undefined ? {} : { organizerId }),
          lane,
          mutation: mutation.name,
          args: withLaneBasis(args, mine),
          argsVersion: mutation.argsVersion,
          createdAt: new Date(now()).toISOString(),
          state: isBlocked ? 'blocked' : mutation.holdMs > 0 ? 'held' : 'queued',
          attempts: 0,
          nextAt: mutation.holdMs > 0 && !isBlocked ? now() + mutation.holdMs : 0,
          ...(rehearsal ? { rehearsal } : {}),
        }
        return { add: [entry], result: undefined }
      })
      const entry = result ?? added[0]
      if (!entry) throw new Error('The database did not keep the change')
      wake('enqueue')
      return entry
    },

    undo: (seq: number) =>
      changeAndWake<'undone' | 'too-late'>(seq, 'too-late', (entry, entries) =>
        neverLeft(entry) ? { ...withoutEntry(entries, entry), result: 'undone' } : { result: 'too-late' },
      ),

    /** Sends a refused change as a new one. After a conflict the change is made on what the server has now. */
    retry: (seq: number) =>
      changeAndWake<'retried' | 'not-refused'>(seq, 'not-refused', (entry, entries) => {
        const known = findKnown(entry)
        if (entry.state !== 'parked' || !known) return { result: 'not-refused' }
        const seen = isConflict(entry) ? basisIn(entry.refusal?.problem.current) : undefined
        const args = seen === undefined ? known.args : { ...(known.args as object), basis: seen }
        const key = isRefusalKept(entry) ? newKey() : entry.key
        return { put: resend(entry, entries, args, known.mutation.argsVersion, key), result: 'retried' }
      }),

    giveOtherId: (seq: number) =>
      changeAndWake<'resent' | 'not-refused'>(seq, 'not-refused', (_, entries) => {
        const put = withOtherId(entries, seq, newId(), newKey)
        return put.length > 0 ? { put, result: 'resent' } : { result: 'not-refused' }
      }),

    /** Asks the server to forbid the change when it may be on its way. */
    async discard(seq: number): Promise<Discarded> {
      const asked = await changeOne<Entry | 'discarded' | 'already-happened' | 'not-found'>(
        seq,
        'not-found',
        (entry, entries) => {
          const next = step(entry, { type: 'discard-asked' })
          if (next === 'gone') return { ...withoutEntry(entries, entry), result: 'discarded' }
          return next === entry && !next.discarding ? { result: 'already-happened' } : { put: [next], result: next }
        },
      )
      if (typeof asked === 'string') {
        if (asked === 'discarded') wake('enqueue')
        return asked
      }
      const outcome = await cancel(asked.userId, asked.key)
      if (outcome === 'unknown') {
        wake('enqueue')
        return 'unknown'
      }
      await settleForbidden(store, asked, outcome)
      wake('enqueue')
      return outcome
    },

    /** Takes back that a refused change, or one that never left, was discarded. */
    async putBack(entry: Entry) {
      const isWhole = entry.state === 'parked' || (neverLeft(entry) && entry.state !== 'blocked')
      if (!isWhole) return
      await store.change('all', ({ entries }) => {
        if (entries.some(({ key }) => key === entry.key)) return { result: undefined }
        // What waited behind it has moved up and may be under way.
        const isLast = !entries.some((other) => laneOf(other) === laneOf(entry) && other.seq > entry.seq)
        // Without `again`, so that a retry gets a new key: this one may be forbidden by now.
        const { again: _again, ...back } = entry
        const { seq: _seq, ...fresh } = back
        return isLast ? { put: [back], result: undefined } : { add: [fresh], result: undefined }
      })
      wake('enqueue')
    },

    editAndResend: <A>(seq: number, mutation: Mutation<A>, args: A) =>
      changeAndWake<'resent' | 'too-late'>(seq, 'too-late', (entry, entries) => {
        if (entry.mutation !== mutation.name || entry.lane !== mutation.lane(args))
          throw new Error('Another change has this place')
        if (entry.state !== 'parked' && !neverLeft(entry)) return { result: 'too-late' }
        const key = entry.state === 'parked' ? newKey() : entry.key
        return { put: resend(entry, entries, args, mutation.argsVersion, key), result: 'resent' }
      }),

    /**
     * It is called before another phone is shown the change, which may then send it under its key: from here on the change
     * may have happened, and is not corrected any more. It answers undefined where the change is not in the queue.
     */
    passOn: (seq: number) =>
      changeOne<Entry | undefined>(seq, undefined, (entry) => {
        const next = step(entry, { type: 'passed-on' })
        return next === 'gone' ? { result: undefined } : { put: [next], result: next }
      }),

    pendingFor: (userId: number | null) => store.entriesOf(userId),

    /** How many changes are kept here, of all accounts and of visitors. */
    async count(): Promise<number> {
      const { result } = await store.change('all', ({ entries }) => ({ result: entries.length }))
      return result
    },

    async signedIn(userId: number) {
      await store.change('all', ({ entries }) => {
        const mine = entries.filter((entry) => entry.userId === userId || entry.userId === null)
        const put = advance(mine, () => ({ type: 'signed-in' }))
        return { put: withLanes(entries, put), account: userId, result: undefined }
      })
      wake('sign-in')
    },

    async signedOut() {
      await store.change([], () => ({ account: null, result: undefined }))
    },
  }
}

/** A change that had happened is sent on to fetch its answer. */
export async function settleForbidden(
  store: OutboxStore,
  entry: Entry,
  outcome: 'cancelled' | 'already-happened',
): Promise<void> {
  await store.change([entry.lane], ({ entries }) => {
    const present = entries.find((candidate) => candidate.key === entry.key)
    if (!present) return { result: undefined }
    const lane = entries.filter((candidate) => laneOf(candidate) === laneOf(present))
    const next = step(present, { type: outcome })
    if (next === 'gone') return { ...withoutEntry(lane, present), result: undefined }
    return { put: [next], result: undefined }
  })
}
