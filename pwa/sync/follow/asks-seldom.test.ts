import { describe, expect, it } from 'vitest'
import { follow, never, openPipe, pulledTo, refused, unreachable } from '../testing/scripted-server.ts'

/** When something was asked: the scopes are pulled together, so that a radio wakes once for them. */
const momentsOf = (asks: readonly { readonly at: number }[]) => [...new Set(asks.map(({ at }) => at))]

/** The most moments in any five seconds. */
const maxInFiveSeconds = (moments: readonly number[]) =>
  Math.max(0, ...moments.map((at) => moments.filter((other) => other >= at && other < at + 5).length))

/** A stream that says something and ends. */
async function brief(say: (pipe: ReturnType<typeof openPipe>) => void) {
  const pipe = openPipe()
  say(pipe)
  pipe.end()
  return pipe.opened
}

/** What the stream does, and what pulls answer. */
const states: [string, Parameters<typeof follow>[0]][] = [
  ['the stream is refused', { stream: refused }],
  ['the stream is held back without a head', { stream: never }],
  ['the stream opens and says nothing', { stream: async () => openPipe().opened }],
  ['the stream says one word and ends', { stream: () => brief((pipe) => pipe.breathe()) }],
  [
    'the stream asks to come back at once, always',
    { stream: () => brief((pipe) => pipe.say('come-back', { afterMs: 0 })) },
  ],
  [
    'one scope is refused by something on the way',
    { answer: (name) => (name === 'account' ? unreachable : pulledTo(1)) },
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
    expect(maxInFiveSeconds(momentsOf(since(1)))).toBeLessThanOrEqual(2)
    for (let second = 1; second < 590; second += 10) {
      const inTenSeconds = momentsOf(since(second)).filter((at) => at <= second + 10)
      expect(inTenSeconds.length).toBeLessThanOrEqual(2)
    }
    expect(momentsOf(since(300)).length).toBeLessThanOrEqual(40)
  })

  it('does not hurry because its own questions are answered while the stream is not', async () => {
    const { time, following, since } = follow({ stream: refused })
    for (let second = 0; second < 120; second += 1) {
      await time.pass(1000)
      // Another call gets through, every second.
      following.retrySoon()
    }
    expect(momentsOf(since(1)).length).toBeLessThanOrEqual(24)
  })

  it('asks once in 5 s at most of a server that calls for a resync without end', async () => {
    const pipe = openPipe()
    const { time, since } = follow({ stream: async () => pipe.opened })
    pipe.breathe()
    for (let second = 0; second < 120; second += 1) {
      pipe.say('resync', {})
      await time.pass(1000)
    }
    const rounds = since(1).filter(({ what }) => what === 'org')
    expect(rounds.length).toBeGreaterThan(10)
    expect(rounds.length).toBeLessThanOrEqual(24)
  })

  it('shows what another device changed within 30 s though the stream is held back', async () => {
    const { time, since } = follow({ stream: never })
    await time.pass(600_000)
    const polls = since(60)
      .filter(({ what }) => what === 'org')
      .map(({ at }) => at)
    const gaps = polls.slice(1).map((at, index) => at - polls[index]!)
    expect(polls.length).toBeGreaterThan(10)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30)
  })

  it('that nobody looks at asks seldom', async () => {
    const { time, since } = follow({ stream: never, isVisible: () => false })
    await time.pass(3_600_000)
    expect(momentsOf(since(600).filter(({ what }) => what !== 'stream')).length).toBeLessThanOrEqual(15)
  })
})

describe('a network that is back', () => {
  it.each([
    ['nothing gets through', unreachable],
    ['everything hangs', 'hangs'],
  ] as const)('is used at once when the page is looked at or told so, where %s', async (_, without) => {
    let isBack = false
    const pipe = openPipe()
    const { time, following, since, progress } = follow({
      answer: () => (isBack ? pulledTo(7) : without),
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
    expect(momentsOf(since(1)).length).toBeLessThanOrEqual(60)
  })
})
