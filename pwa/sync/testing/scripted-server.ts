import type { Collection } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
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
  carries = () => false,
}: {
  answer?: (name: Collection, count: number) => Answer
  stream?: (count: number) => Promise<OpenedStream>
  isVisible?: () => boolean
  /** How many milliseconds an answer takes. */
  slow?: (name: Collection, count: number) => number
  /** Whether what a poke carries is written. */
  carries?: (poke: Poke) => boolean | Promise<boolean>
} = {}) {
  const time = manualTime()
  const start = time.now()
  /** Every request, and when: seconds since the start. */
  const asks: { what: Collection | 'stream'; at: number }[] = []
  const ask = (what: Collection | 'stream') => asks.push({ what, at: (time.now() - start) / 1000 })
  const news: string[] = []
  const progress = createProgress()
  const following: Following = followServer({
    progress,
    pull: async (name) => {
      ask(name)
      const count = asks.filter(({ what }) => what === name).length
      const said = answer(name, count)
      const milliseconds = slow(name, count)
      if (milliseconds > 0) await new Promise<void>((resolve) => void time.timers.after(milliseconds, resolve))
      return said === 'hangs' ? await new Promise<never>(() => undefined) : said
    },
    writeCarried: async (poke) => {
      news.push(`carried: ${poke.version}`)
      return carries(poke)
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
    acknowledged: () => new Set(),
    needsPulls: () => false,
    areManyLeaving: () => false,
    onLive: () => news.push('live'),
    onProgress: () => undefined,
    onPulled: () => undefined,
    onReset: ({ reason }) => news.push(`reset: ${reason}`),
  })
  return {
    time,
    asks,
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
