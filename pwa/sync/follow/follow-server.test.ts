import { describe, expect, it } from 'vitest'
import type { Poke } from '#shared/sync/replication-calls.ts'
import { rest } from '../testing/manual-time.ts'
import { follow, never, openPipe, pulledTo, refused, type Answer } from '../testing/scripted-server.ts'

const poke = (version: number, collections: Poke['collections'] = ['applications']) =>
  ({ scope: 'org', version, since: version - 1, collections }) as const

/** A device whose stream opened ten seconds ago. The server is at `head`. */
async function liveDevice(more: Parameters<typeof follow>[0] = {}) {
  const pipe = openPipe()
  const server = { head: 1 }
  const device = follow({ stream: async () => pipe.opened, answer: () => pulledTo(server.head), ...more })
  pipe.breathe()
  await device.time.pass(10_000)
  return { ...device, pipe, server }
}

/** A device whose stream has lasted for 30 s and is about to end; the next one is the second. */
async function lastingStream(more: Parameters<typeof follow>[0] = {}) {
  const [first, second] = [openPipe(), openPipe()]
  const device = follow({ stream: async (count) => (count === 1 ? first : second).opened, ...more })
  first.breathe()
  await device.time.pass(30_000)
  return { ...device, first, second }
}

const carried = { from: 'e.1', to: 'e.2', documents: { applications: [] } }

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

  it('asks for nothing that a poke brought with it, and takes pokes in their order', async () => {
    const { time, since, progress, news, pipe } = await liveDevice({ carries: () => rest().then(() => true) })
    pipe.say('poke', { ...poke(2), carried })
    pipe.say('poke', { ...poke(3, ['events']), carried })
    pipe.say('poke', { ...poke(4), carried })
    for (const _ of 'abc') await time.pass(1)
    expect(since(9)).toEqual([])
    expect(news).toEqual(['live', 'carried: 2', 'carried: 3', 'carried: 4'])
    expect(progress.heads()).toMatchObject({ applications: 4, events: 4 })
    expect(progress.appliedVersion()).toBe(4)
  })

  it('pulls what a poke brought and what cannot be written, and what came after a gap', async () => {
    const { time, since, news, pipe, server } = await liveDevice()
    server.head = 2
    pipe.say('poke', { ...poke(2), carried })
    await time.pass(1000)
    expect(since(9).map(({ what }) => what)).toEqual(['applications'])
    expect(news).toEqual(['live', 'carried: 2'])
    server.head = 9
    pipe.say('poke', { ...poke(9), carried })
    await time.pass(1)
    expect(since(10.5).map(({ what }) => what)).toEqual(['events', 'applications'])
    expect(news).toEqual(['live', 'carried: 2'])
  })

  it('opens a stream that broke off again within two seconds, once, and asks for nothing more when that succeeds', async () => {
    const { time, since, first, second } = await lastingStream()
    first.end()
    second.breathe()
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
    const { time, progress, pipe } = await liveDevice({
      answer: (name, count) => pulledTo(name === 'applications' && count > 1 ? 3 : 1),
      slow: (name, count) => (name === 'events' && count === 2 ? 2000 : 0),
    })
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

  it('asks again when an answer is older than what the stream has announced: something on the way kept it', async () => {
    const { time, since, progress, pipe, server } = await liveDevice()
    pipe.say('poke', poke(2))
    await time.pass(1)
    expect(progress.heads().applications).toBe(1)
    server.head = 2
    await time.pass(10_000)
    expect(since(10.5).map(({ what }) => what)).toEqual(['applications'])
    expect(progress.heads().applications).toBe(2)
  })

  it('asks when a stream that is opened again names an older version than is here: the server went back', async () => {
    const answers: Answer[] = [pulledTo(7), { kind: 'reset', reason: 'history', epoch: 'f' }]
    const { time, since, news, first, second } = await lastingStream({ answer: (_, count) => answers[count - 1]! })
    first.end()
    second.say('poke', { scope: 'org', version: 5 })
    await time.pass(10_000)
    expect(since(30).map(({ what }) => what)).toEqual(['stream', 'events'])
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
