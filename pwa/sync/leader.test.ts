import { beforeEach, describe, expect, it } from 'vitest'
import { createLeader } from './leader.ts'
import { asLocks } from './testing/lock.ts'
import { createContexts, type Contexts } from './testing/contexts.ts'
import { manualTime } from './testing/manual-time.ts'
import { thaw } from './testing/simulation/sim-stage.ts'

let time: ReturnType<typeof manualTime>
let device: Contexts
let log: string[]

beforeEach(() => {
  time = manualTime()
  device = createContexts(time.timers)
  log = []
})

function watch(name: string, leader: ReturnType<Contexts['open']>['leader']): void {
  leader.watch({
    onElected: () => log.push(`${name} leads`),
    onLost: () => log.push(`${name} lost`),
    onAsked: (reason) => log.push(`${name} hears ${reason}`),
  })
}

/** A page that has asked for something when it was opened. */
async function openPage(name: string, { isSeen = true } = {}) {
  const context = device.open(() => isSeen)
  watch(name, context.leader)
  void context.leader.ask('page-start')
  await time.pass(10)
  return context
}

describe('the pages of a device', () => {
  it('are led by one for as long as it lives', async () => {
    await openPage('one')
    await openPage('two')
    await time.pass(600_000)
    expect(log).toEqual(['one leads', 'one hears page-start'])
  })

  it('are led by the next at once when the leader dies', async () => {
    const one = await openPage('one')
    await openPage('two')
    one.die()
    await time.pass(0)
    expect(log.at(-1)).toBe('two leads')
  })

  it('are led by the next at once when the leader gives the lock up, as before it freezes', async () => {
    const one = await openPage('one')
    await openPage('two')
    one.leader.resign()
    await time.pass(0)
    expect(log.slice(-2)).toEqual(['one lost', 'two leads'])
  })

  it('take the lock from a frozen leader within 30 s, when one of them is seen', async () => {
    const one = await openPage('one')
    const two = await openPage('two')
    one.isFrozen = true
    await time.pass(30_000)
    expect([log.at(-1), two.leader.isLeading()]).toEqual(['two leads', true])
  })

  it('wait in line after they were frozen and lost the lock', async () => {
    const one = await openPage('one')
    const two = await openPage('two')
    one.isFrozen = true
    await time.pass(30_000)
    thaw(one)
    await time.pass(600_000)
    expect([one.leader.isLeading(), two.leader.isLeading()]).toEqual([false, true])
    two.die()
    await time.pass(0)
    expect(one.leader.isLeading()).toBe(true)
  })

  it('leave a frozen leader alone while they are hidden', async () => {
    const one = await openPage('one')
    const two = await openPage('two', { isSeen: false })
    one.isFrozen = true
    await time.pass(600_000)
    expect(two.leader.isLeading()).toBe(false)
  })

  it('take the lock from a frozen leader within 30 s when a hidden one has something to send', async () => {
    const one = await openPage('one')
    const two = await openPage('two', { isSeen: false })
    one.isFrozen = true
    const leads = two.leader.ask('online')
    await time.pass(30_000)
    expect(await leads).toBe(true)
  })

  it('are led by the one whose person asked for it', async () => {
    await openPage('one')
    const two = await openPage('two')
    two.leader.takeOver()
    await time.pass(10)
    expect(log.slice(-2).toSorted()).toEqual(['one lost', 'two leads'])
  })

  it('each lead where the browser has no Web Locks', async () => {
    device = createContexts(time.timers, { hasLocks: false })
    const pages = [await openPage('one'), await openPage('two')]
    await time.pass(60_000)
    expect(pages.map(({ leader }) => leader.isLeading())).toEqual([true, true])
  })
})

describe('what asks', () => {
  it('hears that another one leads, which hears the reason', async () => {
    await openPage('one')
    const worker = device.open(() => false)
    const leads = worker.leader.ask('sync')
    await time.pass(10)
    expect(await leads).toBe(false)
    expect(log.at(-1)).toBe('one hears sync')
  })

  it('leads where nothing else is open', async () => {
    const leads = device.open(() => false).leader.ask('sync')
    await time.pass(10)
    expect(await leads).toBe(true)
  })

  it('need not take over when the next in line has been elected', async () => {
    const one = await openPage('one')
    await openPage('two')
    const worker = device.open(() => false)
    one.isFrozen = true
    const leads = worker.leader.ask('sync')
    one.die()
    await time.pass(10)
    expect(await leads).toBe(false)
  })
})

describe('the lock of the browser', () => {
  it('is asked for every few seconds, and not at once, while the browser refuses it', async () => {
    let requests = 0
    let refuses = true
    const leader = createLeader({
      locks: asLocks(async (body) => {
        requests += 1
        if (refuses) throw new DOMException('The document is not active', 'InvalidStateError')
        await body()
      }),
      timers: time.timers,
      tell: () => {},
      isVisible: () => false,
    })
    const leads = leader.ask('page-start')
    await time.pass(20_000)
    expect(requests).toBeGreaterThan(3)
    expect(requests).toBeLessThan(8)
    refuses = false
    await time.pass(6_000)
    expect(await leads).toBe(true)
  })

  it('is waited for with a signal, or stolen without one, as browsers want it', async () => {
    const asked: LockOptions[] = []
    const leader = createLeader({
      locks: asLocks((_, options) => {
        asked.push(options as LockOptions)
        return new Promise((_resolve, reject) => options.signal?.addEventListener('abort', () => reject(new Error())))
      }),
      timers: time.timers,
      tell: () => {},
      isVisible: () => true,
    })
    void leader.ask('page-start')
    await time.pass(30_000)
    expect(asked).toEqual([{ signal: expect.any(AbortSignal) }, { steal: true }])
  })
})
