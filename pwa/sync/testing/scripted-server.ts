import type { Scope } from '#shared/sync/collections.ts'
import { manualTime } from './manual-time.ts'
import { openBody } from './model-transport.ts'
import { followServer, type Following } from '../follow/follow-server.ts'
import type { OpenedStream } from '../follow/live-stream.ts'
import { createProgress } from '../follow/progress.ts'
import type { PullEnd } from '../follow/pull.ts'

/** How a pull ends, if it does. */
export type Answer = PullEnd | 'hangs'

/** A stream a test speaks on. */
export function openPipe() {
  const { push, end, body } = openBody()
  return {
    say: (event: string, data: object) => push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    breathe: () => push(': here\n\n'),
    end,
    opened: { kind: 'open', pieces: body } as OpenedStream,
  }
}

/** A device that follows a server which says what a test makes it say. */
export function follow({
  answer = () => pulledTo(1),
  stream = () => new Promise<never>(() => undefined),
  isVisible = () => true,
  slow = () => 0,
  checkpoints = [],
}: {
  answer?: (scope: Scope, count: number) => Answer
  stream?: (count: number) => Promise<OpenedStream>
  isVisible?: () => boolean
  /** How many milliseconds an answer takes. */
  slow?: (scope: Scope, count: number) => number
  /** The device holds acknowledgements at these checkpoints. */
  checkpoints?: readonly string[]
} = {}) {
  const time = manualTime()
  const start = time.now()
  /** Every request, and when: seconds since the start. */
  const asks: { what: Scope | 'stream'; at: number }[] = []
  const ask = (what: Scope | 'stream') => asks.push({ what, at: (time.now() - start) / 1000 })
  /** What each pull named as acknowledged. */
  const named: { scope: Scope; acknowledged: readonly string[] }[] = []
  const news: string[] = []
  const progress = createProgress()
  const following: Following = followServer({
    progress,
    pull: async (scope, signal, acknowledged) => {
      ask(scope)
      named.push({ scope, acknowledged })
      const count = asks.filter(({ what }) => what === scope).length
      const said = answer(scope, count)
      const milliseconds = slow(scope, count)
      if (milliseconds > 0) await new Promise<void>((resolve) => void time.timers.after(milliseconds, resolve))
      if (said !== 'hangs') return said
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return unreachable
    },
    openStream: (signal) => {
      ask('stream')
      const opened = stream(asks.filter(({ what }) => what === 'stream').length)
      return Promise.race([
        opened,
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      ])
    },
    timers: time.timers,
    now: time.now,
    random: () => 0.5,
    isVisible,
    acknowledged: () => ({ seqs: new Set(), checkpoints }),
    onLive: () => news.push('live'),
    onProgress: () => undefined,
    onPulled: () => undefined,
    onReset: ({ reason }) => news.push(`reset: ${reason}`),
  })
  return {
    time,
    asks,
    named,
    news,
    progress,
    following,
    /** Requests after a number of seconds. */
    since: (seconds: number) => asks.filter(({ at }) => at > seconds),
  }
}

/** What a pull may come to. */
export const unreachable = { kind: 'unreachable' } as const
export const pulledTo = (head: number) =>
  ({ kind: 'pulled', epoch: 'e', version: head, checkpoint: `e.${head}`, head }) as const

/** What opening the stream may come to. */
export const never = () => new Promise<never>(() => undefined)
export const refused = async () => Promise.reject(new Error('502'))
