import { problemStatus } from '#shared/contract/problem.ts'
import { fold } from '../../replica/fold.ts'
import { basisOf } from '../../queue/mutations/entry-basis.ts'
import { offerAgain } from '../../drain/offer-again.ts'
import type { PageAnswer } from '../../follow/pull.ts'
import type { Entry } from '../../queue/entry.ts'
import { damagedCode, type OutboxStore } from '../../queue/store/outbox-store.ts'
import { answerOf, linesType } from '../model-transport.ts'
import { altering, rewriting } from './sim-canary.ts'
import { oldArgsVersion } from './sim-device.ts'
import type { Canary } from './sim-stage.ts'

const isKey = (basis: string | null | undefined) => basis?.includes('-') ?? false

/** An entry that names what it named before, where it is the same one. */
const withBasisOf = (entry: Entry, before: Entry | undefined): Entry =>
  before?.key !== entry.key || basisOf(entry) === undefined
    ? entry
    : { ...entry, args: { ...(entry.args as object), basis: basisOf(before) } }

/** Answers whose checkpoints are other texts. */
const withCheckpoints =
  (alter: (checkpoint: string) => string) =>
  (answer: PageAnswer): PageAnswer => {
    const body = answer.body as { checkpoint?: string }
    if (answer.status !== 200 || body.checkpoint === undefined) return answer
    return { ...answer, body: { ...body, checkpoint: alter(body.checkpoint) } }
  }

const isUnheardOf = ({ refusal }: Entry) =>
  refusal !== undefined && refusal.problem.code !== damagedCode && !(refusal.problem.code in problemStatus)

/** Takes an entry off the disk, whatever became of it. */
const remove = (store: OutboxStore, seq: number) => store.change('all', () => ({ remove: [seq], result: undefined }))

let renewed = 0

/** Ways to get synchronisation wrong that have been seen in the wild; each must be caught. */
export const canaries: Readonly<Record<string, Canary>> = {
  'takes any 200 for an acknowledgement': {
    transport: (transport) => async (request) => {
      const answer = await transport(request)
      if (answer.status !== 200 || !request.url.endsWith('/mutations')) return answer
      const { entries } = JSON.parse(request.body) as { entries: { key: string }[] }
      const text = entries.map(({ key }) => `${JSON.stringify({ key, status: 200 })}\n`).join('')
      return answerOf(200, [text], { type: linesType })
    },
  },
  'mints a new key for every attempt': {
    store: rewriting((entry, before) =>
      before?.state === 'sending' && entry.state === 'queued' ? { ...entry, key: `${entry.key}+${++renewed}` } : entry,
    ),
  },
  'removes a change when it is acknowledged, before the replica has it': {
    store: rewriting((entry) => (entry.state === 'acknowledged' ? null : entry)),
  },
  'sends the changes of a lane independently of each other': {
    transport: (transport) => async (request) => {
      if (!request.url.endsWith('/mutations')) return await transport(request)
      const body = JSON.parse(request.body) as { entries: { lane: string }[] }
      const entries = body.entries.map((entry, index) => ({ ...entry, lane: `${entry.lane}#${index}` }))
      return await transport({ ...request, body: JSON.stringify({ ...body, entries: entries.reverse() }) })
    },
  },
  'drops what the server refuses': {
    store: rewriting((entry) => (entry.state === 'parked' ? null : entry)),
  },
  "orders the queue by the phone's clock": {
    store: altering(
      (change) => change,
      (entries) => entries.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
    ),
  },
  'moves the checkpoint past rows that were not committed yet': {
    pull: (after, limit, server) => {
      const { rows, head } = server.pull(after, limit)
      const newest = rows.at(-1)
      return newest && newest.version === head && head % 3 === 0 ? { rows: rows.slice(0, -1), head } : { rows, head }
    },
  },
  'never takes the lock from a frozen leader': { neverSteals: true },
  'gives up a change without asking the server': {
    outbox: (outbox, store) => ({ ...outbox, discard: (seq) => remove(store, seq).then(() => 'cancelled') }),
  },
  'takes back a change that may have left': {
    outbox: (outbox, store) => ({ ...outbox, undo: (seq) => remove(store, seq).then(() => 'undone') }),
  },
  'believes that what was being sent when the page died has arrived': {
    store: rewriting((entry, before) =>
      before?.state === 'sending' && entry.state === 'queued' && entry.nextAt === 0 ? null : entry,
    ),
  },
  'forgets its timer': { dropsTimersFrom: 900 },
  'never says what it gave up to those who queue behind': {
    store: rewriting((entry, before) => (before?.state === 'blocked' && entry.state === 'queued' ? before : entry)),
  },
  'a server that makes a change again under the same key': {
    server: (server) => {
      const { runOne } = server
      server.runOne = (account, scope, entry, illness) => {
        if (server.keys.get(`${scope}|${entry.key}`)?.hash !== 'cancelled') server.keys.delete(`${scope}|${entry.key}`)
        return runOne.call(server, account, scope, entry, illness)
      }
      return server
    },
  },
  'a server that ignores what a change was made on': {
    server: (server) => Object.assign(server, { basisOf: () => undefined }),
  },
  'leaves what was made on a change that was taken back as it is': {
    store: rewriting((entry, before) => (isKey(basisOf(entry)) ? entry : withBasisOf(entry, before))),
  },
  'leaves what was made on a change that was retried as it is': {
    store: rewriting((entry, before) => (isKey(basisOf(entry)) ? withBasisOf(entry, before) : entry)),
  },
  'shows a change that the document has left behind': {
    fold: (replica, entries) =>
      fold(
        replica,
        entries.map((entry) => ({ ...entry, args: { ...(entry.args as object), basis: undefined } })),
      ),
  },
  'counts up from the ids that its copy holds, as another device does': {
    newId: (_, known) => Math.max(1000, ...known) + 1,
  },
  'counts versions of an old epoch as its own': {
    store: rewriting((entry) => {
      if (!entry.acknowledged) return entry
      const { epoch: _epoch, checkpoint: _checkpoint, ...rest } = entry.acknowledged
      return { ...entry, acknowledged: rest }
    }),
  },

  // Recoveries.
  'offers nothing again to a server that went back': { offerAgain: async () => 0 },
  'gives an id again that a server which went back has forgotten': {
    newId(deviceName, known) {
      const first = deviceName === 'ipad' ? 1000 : 2000
      return Math.max(first, ...known.filter((id) => id > first && id < first + 1000)) + 1
    },
  },
  'offers again under new keys': {
    async offerAgain(store, userId, epoch) {
      const offered = await offerAgain(store, userId, epoch)
      await store.change('all', ({ entries }) => ({
        put: entries
          .filter((entry) => entry.again !== undefined && entry.state === 'queued')
          .map((entry) => ({ ...entry, key: `${entry.key}/${++renewed}` })),
        result: undefined,
      }))
      return offered
    },
  },
  'keeps nothing of what was settled': {
    store: altering(({ settled: _settled, ...change }) => change),
  },
  'does not look at the ids of the history': {
    answers: withCheckpoints((checkpoint) => checkpoint.replace(/m\d+/, '')),
  },
  'takes a version for a proof, whatever history gave it out': {
    store: rewriting((entry) => {
      if (!entry.acknowledged) return entry
      const { checkpoint: _checkpoint, ...rest } = entry.acknowledged
      return { ...entry, acknowledged: rest }
    }),
  },
  'writes a checkpoint before its documents, and dies between them': { writesCheckpointFirst: true },
  'opens the copy again that could not be continued': { keepsCopyOnReset: true },
  'lets a damaged change stand in its lane': {
    // What a reader without a look at each row makes of it.
    damaged: ({ refusal: _refusal, ...row }) => ({ ...(row as unknown as Entry), args: null }),
  },
  'throws a damaged change away': { damaged: () => null },
  'takes a refusal it has not heard of for a busy server': {
    store: rewriting((entry) => {
      if (entry.state !== 'parked' || !isUnheardOf(entry)) return entry
      const { refusal: _refusal, ...rest } = entry
      return { ...rest, state: 'queued', nextAt: 0 }
    }),
  },
  'believes in a stream that says nothing': {
    async *hears(pieces, timers) {
      const iterator = pieces[Symbol.asyncIterator]()
      let next = iterator.next()
      for (;;) {
        yield ': here\n\n'
        const pause = new Promise<'silence'>((resolve) => void timers.after(20_000, () => resolve('silence')))
        const piece = await Promise.race([next, pause])
        if (piece === 'silence') continue
        if (piece.done) return
        yield piece.value
        next = iterator.next()
      }
    },
  },
  'drops what an older app queued': {
    store: (store) => ({
      ...store,
      change: (lanes, decide) =>
        store.change(lanes, (seen) => {
          const isOld = (entry: Entry) => entry.argsVersion === oldArgsVersion && entry.state === 'queued'
          const change = decide({ ...seen, entries: seen.entries.filter((entry) => !isOld(entry)) })
          const remove = [...(change.remove ?? []), ...seen.entries.filter(isOld).map(({ seq }) => seq)]
          return lanes === 'all' ? { ...change, remove } : change
        }),
    }),
  },
  'a server that takes other words under a key for another change': {
    server: (server) => {
      const { runOne } = server
      const words = new Map<string, string>()
      server.runOne = (account, scope, entry, illness) => {
        const said = JSON.stringify(entry.body)
        const before = words.get(entry.key) ?? said
        words.set(entry.key, before)
        const line = runOne.call(server, account, scope, entry, illness)
        if (before === said) return line
        return { key: entry.key, status: 422, body: { code: 'key_reused', message: 'key_reused', requestId: 'r' } }
      }
      return server
    },
  },
  'a server that resets every copy older than a deletion, also one that is being begun': {
    answers: withCheckpoints((checkpoint) => checkpoint.replace(/\d+$/, '')),
  },

  // The follower.
  'loses its plan to poll while there is no stream': {
    machine:
      (transition) =>
      (...given) => {
        const { state, effects } = transition(...given)
        return { state, effects: effects.filter((effect) => effect.type !== 'plan' || effect.plan !== 'poll') }
      },
  },
  'stays suspended when somebody signs in': {
    machine:
      (transition) =>
      (...given) => {
        const [state] = given
        return state.suspended ? { state, effects: [] } : transition(...given)
      },
  },
  'passes over what is poked during a pull': {
    machine:
      (transition) =>
      (...given) => {
        const [state, event] = given
        return event.type === 'poke' && state.round ? { state, effects: [] } : transition(...given)
      },
  },
  'takes a poke for a pull': {
    machine:
      (transition) =>
      (...given) => {
        const { state, effects } = transition(...given)
        const [, event] = given
        if (event.type !== 'poke' || event.poke.scope !== 'org') return { state, effects }
        const { version } = event.poke
        return { state: { ...state, heads: { ...state.heads, org: version } }, effects }
      },
  },
}
