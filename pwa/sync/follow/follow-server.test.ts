import { describe, expect, it } from 'vitest'
import { rest } from '../testing/manual-time.ts'
import { follow, never, openPipe, pulledTo, refused, type Answer } from '../testing/scripted-server.ts'

/** A device whose stream has lasted for 30 s and is about to end; the next one is the second. */
async function lastingStream(more: Parameters<typeof follow>[0] = {}) {
  const [first, second] = [openPipe(), openPipe()]
  const device = follow({ stream: async (count) => (count === 1 ? first : second).opened, ...more })
  first.breathe()
  await device.time.pass(30_000)
  return { ...device, first, second }
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
    expect(asks.map(({ what }) => what).sort()).toEqual(['account', 'org', 'stream'])
    expect(news).toEqual(['live'])
  })

  it('names what is acknowledged to the organizer’s history, not to a member’s own account', async () => {
    const { named } = follow({ checkpoints: ['e.1'] })
    await rest()
    expect(named).toEqual([
      { scope: 'org', acknowledged: ['e.1'] },
      { scope: 'account', acknowledged: [] },
    ])
  })

  it('asks again when an answer from before a sign-in comes after it', async () => {
    const { time, progress, following } = follow({
      stream: never,
      answer: (name, count) => (name === 'org' && count === 1 ? { kind: 'signed-out', isRevoked: false } : pulledTo(1)),
      slow: (name, count) => (name === 'org' && count === 1 ? 2000 : 0),
    })
    await time.pass(1000)
    following.resync()
    await time.pass(2000)
    expect(progress.isComplete()).toBe(true)
  })

  it('asks when a stream that opens again names an older version: the server went back', async () => {
    const answers: Answer[] = [pulledTo(7), { kind: 'reset', reason: 'history', epoch: 'f' }]
    const { time, since, news, first, second } = await lastingStream({ answer: (_, count) => answers[count - 1]! })
    first.end()
    second.say('poke', { scope: 'org', version: 5 })
    await time.pass(10_000)
    expect(since(30).map(({ what }) => what)).toEqual(['stream', 'org', 'account'])
    expect(news).toEqual(['live', 'live', 'reset: history'])
  })

  it('comes back when a server that stops wishes it, and leaves it alone until then', async () => {
    const { time, since, first, second } = await lastingStream()
    first.say('come-back', { afterMs: 3000 })
    first.end()
    second.breathe()
    await time.pass(10_000)
    expect(since(30)).toEqual([{ what: 'stream', at: 33 }])
  })
})

it('a device whose copy cannot be continued says so once and asks nothing more', async () => {
  const { time, asks, news } = follow({
    answer: () => ({ kind: 'reset', reason: 'horizon', epoch: 'e' }),
    stream: refused,
  })
  await time.pass(600_000)
  expect(news).toEqual(['reset: horizon'])
  expect(asks.length).toBeLessThanOrEqual(4)
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
    ).toEqual(['account', 'org', 'stream'])
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
