import type { PageAnswer } from '../../follow/pull.ts'
import type { Entry } from '../../queue/entry.ts'
import { offerAgain } from '../../drain/offer-again.ts'
import { altering, rewriting, type Canary } from './sim-canary.ts'
import { oldArgsVersion } from './sim-device.ts'
import { damages } from './sim-pages.ts'

/** Answers whose checkpoints are other texts. */
const withCheckpoints =
  (alter: (checkpoint: string) => string) =>
  (answer: PageAnswer): PageAnswer => {
    const body = answer.body as { checkpoint?: string }
    if (answer.status !== 200 || body.checkpoint === undefined) return answer
    return { ...answer, body: { ...body, checkpoint: alter(body.checkpoint) } }
  }

/** Refusals whose words this app knows; all of them that the model server gives. */
const knownCodes = [
  'conflict',
  'not_found',
  'plan_limit',
  'already_exists',
  'duplicate_application',
  'damaged',
] as const

const isUnheardOf = ({ refusal }: Entry) =>
  refusal !== undefined && !knownCodes.some((known) => known === refusal.problem.code)

/** Another key each time, as whoever offers again and takes it for something new. */
let renewed = 0

/** Ways to get a recovery wrong: each must be caught by the histories in which pages follow the server. */
export const recoveryCanaries: Readonly<Record<string, Canary>> = {
  'offers nothing again to a server that went back': { offerAgain: async () => 0 },
  'gives an id again that a server which went back has forgotten': {
    newId(deviceName, known) {
      const first = deviceName === 'ipad' ? 1000 : 2000
      return Math.max(first, ...known.filter((id) => id > first && id < first + 1000)) + 1
    },
  },
  'offers again under new keys': {
    async offerAgain(store, userId, epoch, now) {
      const offered = await offerAgain(store, userId, epoch, now)
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
  'loses the documents that a poke carried': { losesCarried: true },
  ...Object.fromEntries(damages.map((damage) => [`opens a damaged copy: ${damage}`, { opensDamaged: damage }])),
  'writes over what another tab has written': { writesWithoutALook: true },
  'opens the copy again that could not be continued': { keepsCopyOnReset: true },
  'lets a damaged change stand in its lane': {
    // What a reader without a look at each row makes of it.
    damaged: (row) => ({ ...(row as unknown as Entry), args: null }),
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
  'asks without a pause': { longestWaitMs: 1000 },
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
}
