import { describe, expect, it } from 'vitest'
import type { Collection, Poke } from '#shared/sync/replication-calls.ts'
import { manualTime, rest } from '../../outbox/testing/manual-time.ts'
import { followServer, type Following } from './follow-server.ts'
import type { OpenedStream } from './live-stream.ts'
import { createProgress } from './progress.ts'
import type { PullEnd } from './pull.ts'

type Answer = PullEnd | 'hangs'

/** A stream a test speaks on. */
function openPipe() {
  const pieces: string[] = []
  let ended = false
  let wake = () => {}
  return {
    say(event: string, data: object) {
      pieces.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      wake()
    },
    breathe() {
      pieces.push(': here\n\n')
      wake()
    },
    end() {
      ended = true
      wake()
    },
    opened: {
      kind: 'open',
      pieces: {
        [Symbol.asyncIterator]: () => ({
          async next() {
            while (pieces.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve))
            const value = pieces.shift()
            return value === undefined ? { done: true, value } : { done: false, value }
          },
        }),
      },
    } as OpenedStream,
  }
}

/** A device that follows a server which says what a test makes it say. */
function follow({
  answer = () => ({ kind: 'pulled', checkpoint: { epoch: 'e', version: 1 }, head: 1 }),
  stream = () => new Promise<never>(() => undefined),
  isVisible = () => true,
  slow = () => 0,
}: {
  answer?: (name: Collection, count: number) => Answer
  stream?: (count: number) => Promise<OpenedStream>
  isVisible?: () => boolean
  /** How many milliseconds an answer takes. */
  slow?: (name: Collection, count: number) => number
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

const unreachable = { kind: 'unreachable' } as const
const pulledTo = (head: number) => ({ kind: 'pulled', checkpoint: { epoch: 'e', version: head }, head }) as const
const poke = (version: number, collections: Poke['collections'] = ['applications']) =>
  ({ scope: 'org', version, since: version - 1, collections }) as const

/** The most requests in any five seconds. */
function mostInFiveSeconds(asks: readonly { at: number }[]): number {
  return Math.max(0, ...asks.map(({ at }) => asks.filter((other) => other.at >= at && other.at < at + 5).length))
}

describe('a device that follows the server', () => {
  it('asks for everything once, opens the stream, and then asks for nothing that did not change', async () => {
    const pipe = openPipe()
    const { time, asks, news } = follow({ stream: async () => pipe.opened })
    pipe.breathe()
    for (let minute = 0; minute < 30; minute += 1) {
      await time.pass(20_000)
      pipe.breathe()
    }
    expect(asks.map(({ what }) => what).sort()).toEqual(['account', 'applications', 'events', 'stream'])
    expect(news).toEqual(['live'])
  })

  it('asks at once for the collection that a poke names', async () => {
    const pipe = openPipe()
    let head = 1
    const { time, since } = follow({ stream: async () => pipe.opened, answer: () => pulledTo(head) })
    pipe.breathe()
    await time.pass(10_000)
    head = 2
    pipe.say('poke', poke(2))
    await time.pass(1)
    expect(since(9).map(({ what }) => what)).toEqual(['applications'])
  })

  it('opens a stream that broke off again within two seconds, once, and asks for nothing more when that succeeds', async () => {
    const pipes = [openPipe(), openPipe()]
    const { time, since } = follow({ stream: async (count) => pipes[count - 1]!.opened })
    pipes[0]!.breathe()
    await time.pass(30_000)
    pipes[0]!.end()
    pipes[1]!.breathe()
    await time.pass(20_000)
    const asked = since(30)
    expect(asked.filter(({ what }) => what === 'stream').map(({ at }) => at < 32)).toEqual([true])
    expect(asked).toHaveLength(1)
  })

  it('asks whether the server is gone when a stream that broke off cannot be opened again', async () => {
    const pipe = openPipe()
    const { time, since } = follow({ stream: async (count) => (count === 1 ? pipe.opened : refused()) })
    pipe.breathe()
    await time.pass(30_000)
    pipe.end()
    await time.pass(2_000)
    expect(since(30).map(({ what }) => what)).toEqual(['stream', 'applications'])
  })

  it('does not fall behind a poke that came while an answer was under way', async () => {
    const pipe = openPipe()
    const { time, progress } = follow({
      stream: async () => pipe.opened,
      answer: (name, count) => pulledTo(name === 'applications' && count > 1 ? 3 : 1),
      slow: (name, count) => (name === 'events' && count === 2 ? 2000 : 0),
    })
    pipe.breathe()
    await time.pass(10_000)
    pipe.say('resync', {})
    await time.pass(100)
    pipe.say('poke', { scope: 'org', version: 3, since: 1, collections: ['applications'] })
    await time.pass(10_000)
    expect(progress.appliedVersion()).toBe(3)
  })

  it('asks again when an answer from before a sign-in comes after it', async () => {
    const { time, progress, following } = follow({
      stream: never,
      answer: (name, count) =>
        name === 'applications' && count === 1 ? { kind: 'signed-out', isRevoked: false } : pulledTo(1),
      slow: (name, count) => (name === 'applications' && count === 1 ? 2000 : 0),
    })
    await time.pass(1000)
    following.resync()
    await time.pass(2000)
    expect(progress.isComplete()).toBe(true)
  })

  it('asks when a stream that is opened again names an older version than is here: the server went back', async () => {
    const pipes = [openPipe(), openPipe()]
    const answers: Answer[] = [pulledTo(7), { kind: 'reset', reason: 'history', epoch: 'f' }]
    const { time, since, news } = follow({
      stream: async (count) => pipes[count - 1]!.opened,
      answer: (_, count) => answers[count - 1]!,
    })
    pipes[0]!.say('poke', { scope: 'org', version: 7 })
    await time.pass(30_000)
    pipes[0]!.end()
    pipes[1]!.say('poke', { scope: 'org', version: 5 })
    await time.pass(10_000)
    expect(since(30).map(({ what }) => what)).toEqual(['stream', 'events'])
    expect(news).toEqual(['live', 'live', 'reset: history'])
  })

  it('comes back when a server that stops wishes it, and leaves it alone until then', async () => {
    const pipes = [openPipe(), openPipe()]
    const { time, since } = follow({ stream: async (count) => pipes[count - 1]!.opened })
    pipes[0]!.breathe()
    await time.pass(30_000)
    pipes[0]!.say('come-back', { afterMs: 3000 })
    pipes[0]!.end()
    pipes[1]!.breathe()
    await time.pass(10_000)
    expect(since(30)).toEqual([{ what: 'stream', at: 33 }])
  })
})

const never = () => new Promise<never>(() => undefined)
const refused = async () => Promise.reject(new Error('502'))
/** What the stream does, and what pulls answer. */
const states: [string, Parameters<typeof follow>[0]][] = [
  ['the stream is refused', { stream: refused }],
  ['the stream is held back without a head', { stream: never }],
  ['the stream opens and says nothing', { stream: async () => openPipe().opened }],
  [
    'the stream says one word and ends',
    {
      stream: async () => {
        const pipe = openPipe()
        pipe.breathe()
        pipe.end()
        return pipe.opened
      },
    },
  ],
  [
    'the stream asks to come back at once, always',
    {
      stream: async () => {
        const pipe = openPipe()
        pipe.say('come-back', { afterMs: 0 })
        pipe.end()
        return pipe.opened
      },
    },
  ],
  [
    'one collection is refused by something on the way',
    { answer: (name) => (name === 'events' ? unreachable : pulledTo(1)) },
  ],
  ['nothing gets through', { answer: () => unreachable, stream: refused }],
  ['everything hangs', { answer: () => 'hangs', stream: never }],
  ['the head moves on with every question', { answer: (_, count) => pulledTo(count), stream: refused }],
]

describe('an idle device', () => {
  it.each(states)('asks once in 5 s at most, and backs off, when %s', async (_, behaviour) => {
    const { time, since } = follow(behaviour)
    await time.pass(600_000)
    // What the first moments ask at once is over.
    expect(mostInFiveSeconds(since(1))).toBeLessThanOrEqual(2)
    for (let second = 1; second < 590; second += 10) {
      const inTenSeconds = since(second).filter(({ at }) => at <= second + 10).length
      expect(inTenSeconds).toBeLessThanOrEqual(2)
    }
    expect(since(300).length).toBeLessThanOrEqual(40)
  })

  it('does not hurry because its own questions are answered while the stream is not', async () => {
    const { time, following, since } = follow({ stream: refused })
    for (let second = 0; second < 120; second += 1) {
      await time.pass(1000)
      // Another call gets through, every second.
      following.hurry()
    }
    expect(since(1).length).toBeLessThanOrEqual(24)
  })

  it('asks once in 5 s at most of a server that calls for a resync without end', async () => {
    const pipe = openPipe()
    const { time, since } = follow({ stream: async () => pipe.opened })
    pipe.breathe()
    for (let second = 0; second < 120; second += 1) {
      pipe.say('resync', {})
      await time.pass(1000)
    }
    const rounds = since(1).filter(({ what }) => what === 'events')
    expect(rounds.length).toBeGreaterThan(10)
    expect(rounds.length).toBeLessThanOrEqual(24)
  })

  it('shows what another device changed within 30 s though the stream is held back', async () => {
    const { time, since } = follow({ stream: never })
    await time.pass(600_000)
    const polls = since(60)
      .filter(({ what }) => what === 'applications')
      .map(({ at }) => at)
    const gaps = polls.slice(1).map((at, index) => at - polls[index]!)
    expect(polls.length).toBeGreaterThan(10)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30)
  })

  it('that nobody looks at asks seldom', async () => {
    const { time, since } = follow({ stream: never, isVisible: () => false })
    await time.pass(3_600_000)
    expect(since(600).filter(({ what }) => what !== 'stream').length).toBeLessThanOrEqual(15)
  })
})

describe('a device whose copy cannot be continued', () => {
  it('says so once and asks nothing more', async () => {
    const { time, asks, news } = follow({
      answer: () => ({ kind: 'reset', reason: 'horizon', epoch: 'e' }),
      stream: refused,
    })
    await time.pass(600_000)
    expect(news).toEqual(['reset: horizon'])
    expect(asks.length).toBeLessThanOrEqual(4)
  })
})

describe('a device that must wait for a person', () => {
  it.each([
    ['nobody is signed in', { kind: 'signed-out', isRevoked: false } as const],
    ['the app is too old', { kind: 'update-app' } as const],
  ])('asks nothing while %s, and everything when that is over', async (_, end) => {
    let isOver = false
    const { time, asks, following } = follow({
      answer: () => (isOver ? pulledTo(1) : end),
      stream: async () => ({ kind: 'refused', why: end.kind }),
    })
    await time.pass(3_600_000)
    expect(asks.length).toBeLessThanOrEqual(4)
    isOver = true
    const before = asks.length
    following.resync()
    await rest()
    expect(
      asks
        .slice(before)
        .map(({ what }) => what)
        .sort(),
    ).toEqual(['account', 'applications', 'events', 'stream'])
  })

  it('looks whether the app is still too old when it is opened again', async () => {
    const { time, asks, following } = follow({ answer: () => ({ kind: 'update-app' }), stream: refused })
    await time.pass(60_000)
    const before = asks.length
    following.wake()
    await rest()
    expect(asks.length).toBeGreaterThan(before)
  })
})

describe('a network that is back', () => {
  it('is used at once when the page is looked at or told so, whatever was waited for', async () => {
    let isBack = false
    const pipe = openPipe()
    const { time, following, since, progress } = follow({
      answer: () => (isBack ? pulledTo(7) : unreachable),
      stream: async () => (isBack ? pipe.opened : refused()),
    })
    await time.pass(600_000)
    isBack = true
    pipe.breathe()
    following.wake()
    await time.pass(50)
    expect(progress.isComplete()).toBe(true)
    expect(since(599.9).filter(({ what }) => what === 'stream')).toHaveLength(1)
  })

  it('is found without any sign within 40 s', async () => {
    let isBack = false
    const { time, progress } = follow({ answer: () => (isBack ? pulledTo(7) : unreachable), stream: refused })
    await time.pass(600_000)
    isBack = true
    await time.pass(40_000)
    expect(progress.isComplete()).toBe(true)
  })

  it('has its stream again within 15 s of the first answer, wherever the wait for it stood', async () => {
    for (const meanwhile of [refused, never]) {
      for (let moment = 0; moment < 70; moment += 7) {
        let isBack = false
        const pipe = openPipe()
        const { time, since, news } = follow({
          answer: () => (isBack ? pulledTo(7) : unreachable),
          stream: () => (isBack ? Promise.resolve(pipe.opened) : meanwhile()),
        })
        await time.pass((600 + moment) * 1000)
        isBack = true
        pipe.breathe()
        await time.pass(60_000)
        const answered = since(600 + moment).find(({ what }) => what !== 'stream')!
        const opened = since(600 + moment).find(({ what }) => what === 'stream')!
        expect(opened.at - answered.at).toBeLessThanOrEqual(15)
        expect(news).toEqual(['live'])
      }
    }
  })

  it('does not bring a storm when signs of it come without end', async () => {
    const { time, following, since } = follow({ answer: () => unreachable, stream: refused })
    for (let tick = 0; tick < 600; tick += 1) {
      following.wake()
      await time.pass(100)
    }
    expect(since(1).length).toBeLessThanOrEqual(2 * 60)
  })
})
