import type { Entry, NewEntry } from './entry.ts'
import { countOnPredecessor, madeAnew, resultOf, shiftFollowers } from './mutations/expectation.ts'
import type { Mutation } from './mutations/mutation.ts'
import { findKnown } from './mutations/mutations.ts'
import { laneOf, neverLeft, relane, step } from './outbox-machine.ts'
import type { OutboxStore } from './store/outbox-store.ts'
import { exportEntries, readExport, requireOwnFile } from './queue-file.ts'
import type { WakeReason } from './drain/replay.ts'

/** What became of a change that was given up. */
type Discarded =
  | 'discarded'
  | 'cancelled'
  | 'already-happened'
  /** The server could not be asked now; it will be, and the change is never sent again. */
  | 'unknown'
  | 'not-found'

export interface OutboxDependencies {
  readonly store: OutboxStore
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A new uuid. */
  readonly newKey: () => string
  readonly wake: (reason: WakeReason) => unknown
  /** Forbids a change on the server. */
  readonly cancel: (account: number | null, key: string) => Promise<'cancelled' | 'already-happened' | 'unknown'>
}

/** Where a person's changes go in, and where they are looked after until the server has them. */
export interface Outbox {
  /** Resolves when the change is on disk, not before: only then may the screen say "saved on this phone". */
  enqueue<A>(mutation: Mutation<A>, args: A, owner: { userId: number | null }): Promise<Entry>
  /** Takes back a change that never left this phone. */
  undo(seq: number): Promise<'undone' | 'too-late'>
  /** Sends a refused change once more, as a new one. After a conflict it is made on what the server has now. */
  retry(seq: number): Promise<'retried' | 'not-refused'>
  /** Gives a change up; asks the server to forbid it when it may be on its way. */
  discard(seq: number): Promise<Discarded>
  /** Undoes the discarding of a refused change: it stands where it stood, or behind what moved up since. */
  putBack(entry: Entry): Promise<void>
  /** Sends a refused or never sent change with other arguments. */
  editAndResend<A>(seq: number, mutation: Mutation<A>, args: A): Promise<'resent' | 'too-late'>
  /** All entries of an account, or a visitor's (null), by seq. */
  pendingFor(userId: number | null): Promise<Entry[]>
  /** Someone signed in on this device: their paused changes go on. Everyone else's stay. */
  signedIn(userId: number): Promise<void>
  signedOut(): Promise<void>
  /** The pending changes of an account as the text of a file. */
  exportQueue(userId: number | null): Promise<string>
  /**
   * Adds a file's changes behind what is here; one that is here already is skipped, one that cannot be read stays in the file.
   * Throws on a file of another kind or account.
   */
  importQueue(text: string, owner: { userId: number | null }): Promise<{ added: number; skipped: number }>
}

const find = (entries: readonly Entry[], seq: number) => entries.find((entry) => entry.seq === seq)

/** The entries with some replaced or added, by seq. */
export function replaced(entries: readonly Entry[], changed: readonly Entry[]): Entry[] {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  for (const entry of changed) bySeq.set(entry.seq, entry)
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** `changed`, and what the rest of the queue becomes because of it. */
function withLanes(entries: readonly Entry[], changed: readonly Entry[], removed: readonly number[] = []): Entry[] {
  const after = replaced(entries, changed).filter((entry) => !removed.includes(entry.seq))
  return replaced(changed, relane(after))
}

/** An entry leaves the queue without having happened: its followers count one less and may be free. */
export function withoutEntry(entries: readonly Entry[], gone: Entry): { put: Entry[]; remove: number[] } {
  const result = resultOf(gone)
  const delta = gone.madeOn === undefined || result === undefined ? -1 : gone.madeOn - result
  const shifted = result === undefined ? [] : shiftFollowers(entries, gone, { seq: gone.seq, delta, gone: true })
  return { put: withLanes(entries, shifted, [gone.seq]), remove: [gone.seq] }
}

export function createOutbox({ store, now, newKey, wake, cancel }: OutboxDependencies): Outbox {
  const changeOne = async <T>(
    seq: number,
    missing: T,
    decide: (entry: Entry, entries: readonly Entry[]) => { put?: Entry[]; remove?: number[]; result: T },
  ) => {
    const { result } = await store.change('all', ({ entries }) => {
      const entry = find(entries, seq)
      return entry ? decide(entry, entries) : { result: missing }
    })
    return result
  }

  const resend = (entry: Entry, entries: readonly Entry[], args: unknown, argsVersion: number): Entry[] => {
    const before = resultOf(entry)
    const next = step(
      entry,
      entry.state === 'parked'
        ? { type: 'retried', key: newKey(), args, argsVersion }
        : { type: 'edited', args, argsVersion },
    )
    if (next === 'gone') return []
    const after = resultOf(next)
    const delta = before === undefined || after === undefined ? 0 : after - before
    const shifted = delta === 0 ? [] : shiftFollowers(entries, entry, { seq: entry.seq, delta })
    return withLanes(entries, [next, ...shifted])
  }

  return {
    async enqueue(mutation, args, { userId }) {
      const lane = mutation.lane(args)
      const { added } = await store.change([lane], ({ entries }) => {
        const mine = entries.filter((entry) => entry.lane === lane && entry.userId === userId)
        const counted = countOnPredecessor(mutation, args, mine)
        const isBlocked = mine.some((entry) => entry.state === 'parked')
        const entry: NewEntry = {
          key: newKey(),
          userId,
          lane,
          mutation: mutation.name,
          ...counted,
          argsVersion: mutation.argsVersion,
          createdAt: new Date(now()).toISOString(),
          state: isBlocked ? 'blocked' : mutation.holdMs > 0 ? 'held' : 'queued',
          attempts: 0,
          nextAt: mutation.holdMs > 0 && !isBlocked ? now() + mutation.holdMs : 0,
        }
        return { add: [entry], result: undefined }
      })
      const [entry] = added
      if (!entry) throw new Error('The database did not keep the change')
      wake('enqueue')
      return entry
    },

    async undo(seq) {
      const result = await changeOne<'undone' | 'too-late'>(seq, 'too-late', (entry, entries) =>
        neverLeft(entry) ? { ...withoutEntry(entries, entry), result: 'undone' } : { result: 'too-late' },
      )
      if (result === 'undone') wake('enqueue')
      return result
    },

    async retry(seq) {
      const result = await changeOne<'retried' | 'not-refused'>(seq, 'not-refused', (entry, entries) => {
        const known = findKnown(entry)
        if (entry.state !== 'parked' || !known) return { result: 'not-refused' }
        const { expected } = known.mutation
        const problem = entry.refusal?.problem
        const current = problem?.code === 'conflict' ? expected?.current(problem.current) : undefined
        const args = expected && current !== undefined ? expected.with(known.args, current) : known.args
        return { put: resend(entry, entries, args, known.mutation.argsVersion), result: 'retried' }
      })
      if (result === 'retried') wake('enqueue')
      return result
    },

    async discard(seq) {
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
        // What stood behind it may go now.
        if (asked === 'discarded') wake('enqueue')
        return asked
      }
      const outcome = await cancel(asked.userId, asked.key)
      if (outcome === 'unknown') {
        wake('enqueue')
        return 'unknown'
      }
      await settleForbidden(store, asked, outcome, newKey)
      wake('enqueue')
      return outcome
    },

    async putBack(entry) {
      await store.change('all', ({ entries }) => {
        if (entry.state !== 'parked' || entries.some(({ key }) => key === entry.key)) return { result: undefined }
        // What stood behind it has moved up and may be under way: put back, it comes after that.
        const isLast = !entries.some((other) => laneOf(other) === laneOf(entry) && other.seq > entry.seq)
        const { seq: _seq, ...anew } = entry
        return isLast ? { put: [entry], result: undefined } : { add: [anew], result: undefined }
      })
    },

    async editAndResend(seq, mutation, args) {
      const result = await changeOne<'resent' | 'too-late'>(seq, 'too-late', (entry, entries) => {
        if (entry.mutation !== mutation.name || entry.lane !== mutation.lane(args))
          throw new Error('Another change stands there')
        if (entry.state !== 'parked' && !neverLeft(entry)) return { result: 'too-late' }
        return { put: resend(entry, entries, args, mutation.argsVersion), result: 'resent' }
      })
      if (result === 'resent') wake('enqueue')
      return result
    },

    pendingFor: (userId) => store.entriesOf(userId),

    async signedIn(userId) {
      await store.change('all', ({ entries }) => {
        const put = entries
          .filter((entry) => entry.userId === userId || entry.userId === null)
          .flatMap((entry) => {
            const next = step(entry, { type: 'signed-in' })
            return next === entry || next === 'gone' ? [] : [next]
          })
        return { put: withLanes(entries, put), account: userId, result: undefined }
      })
      wake('sign-in')
    },

    async signedOut() {
      await store.change([], () => ({ account: null, result: undefined }))
    },

    async exportQueue(userId) {
      return exportEntries(userId, await store.entriesOf(userId), new Date(now()).toISOString())
    },

    async importQueue(text, { userId }) {
      const file = readExport(text)
      requireOwnFile(file, userId)
      const { result } = await store.change('all', ({ entries }) => {
        const here = new Set(entries.map((entry) => entry.key))
        const add = file.entries
          .filter((entry) => !here.has(entry.key))
          .map((change): NewEntry => {
            const { label: _, ...entry } = change
            return { ...entry, userId }
          })
        const lanes = new Set(entries.filter((entry) => entry.state === 'parked').map(laneOf))
        for (const [index, entry] of add.entries()) {
          if (entry.state === 'parked') lanes.add(laneOf(entry))
          else if (lanes.has(laneOf(entry))) add[index] = { ...entry, state: 'blocked' }
        }
        return { add, result: { added: add.length, skipped: file.entries.length - add.length } }
      })
      wake('enqueue')
      return result
    },
  }
}

/**
 * Writes down what the server said about a key that was to be forbidden: the change is gone, or goes out under another key
 * with the right count; or it had happened and is sent on to fetch its answer.
 */
export async function settleForbidden(
  store: OutboxStore,
  entry: Entry,
  outcome: 'cancelled' | 'already-happened',
  newKey: () => string,
): Promise<void> {
  await store.change([entry.lane], ({ entries }) => {
    const present = entries.find((candidate) => candidate.key === entry.key)
    if (!present) return { result: undefined }
    const lane = entries.filter((candidate) => laneOf(candidate) === laneOf(present))
    if (outcome === 'cancelled' && !present.discarding && present.madeOn !== undefined)
      return { put: withLanes(lane, madeAnew(lane, present, present.madeOn, newKey())), result: undefined }
    const next = step(present, { type: outcome })
    if (next === 'gone') return { ...withoutEntry(lane, present), result: undefined }
    return { put: [next], result: undefined }
  })
}
