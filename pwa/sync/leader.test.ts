import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { electLeaderTab, type LeaderTab } from './leader.ts'
import { createLock } from './testing/lock.ts'

/** The browser's locks, of which only one is asked for here. */
function createLocks() {
  const lock = createLock<undefined>()
  const request = (_: string, options: LockOptions, body: () => Promise<void>) => lock.hold(undefined, body, options)
  return { request } as unknown as Pick<LockManager, 'request'>
}

/** Tabs of one browser; a frozen one hears nothing. */
const channels = new Set<Channel>()
const frozenTabs = new Set<string>()
let opening = ''
class Channel {
  onmessage: ((event: { data: unknown }) => void) | null = null
  readonly tab = opening
  constructor() {
    channels.add(this)
  }
  postMessage(data: unknown) {
    for (const other of channels) if (other !== this && !frozenTabs.has(other.tab)) other.onmessage?.({ data })
  }
  close() {
    channels.delete(this)
  }
}

let locks: Pick<LockManager, 'request'>
let log: string[]
const open: LeaderTab[] = []

function openTab(tab: string, isVisible = () => true): LeaderTab {
  opening = tab
  const turns = electLeaderTab({
    name: 'r',
    locks,
    isVisible,
    onElected: () => log.push(`${tab} leads`),
    onLost: () => log.push(`${tab} lost`),
  })
  open.push(turns)
  return turns
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', Channel)
  locks = createLocks()
  log = []
})
afterEach(() => {
  for (const turns of open.splice(0)) turns.close()
  channels.clear()
  frozenTabs.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('tabs that take turns', () => {
  it('are led by one, as long as it answers, and by the next when it closes', async () => {
    const one = openTab('one')
    openTab('two')
    await pass(600_000)
    expect(log).toEqual(['one leads'])
    one.close()
    await pass(0)
    expect(log).toEqual(['one leads', 'two leads'])
  })

  it('are not led by a frozen one for long: a visible tab follows by itself within 30 s', async () => {
    const one = openTab('one')
    const two = openTab('two')
    await pass(1_000)
    frozenTabs.add('one')
    await pass(30_000)
    expect(log).toEqual(['one leads', 'two leads', 'one lost'])
    expect([one.isLeading(), two.isLeading()]).toEqual([false, true])
    frozenTabs.clear()
    await pass(600_000)
    expect(log, 'back among the living it waits in line').toHaveLength(3)
  })

  it('leave a frozen leader alone while nobody looks at them', async () => {
    let isVisible = false
    openTab('one')
    openTab('two', () => isVisible)
    frozenTabs.add('one')
    await pass(600_000)
    expect(log).toEqual(['one leads'])
    isVisible = true
    await pass(30_000)
    expect(log).toContain('two leads')
  })

  it('hand the turn to the one that takes it, and get it back when that one closes', async () => {
    openTab('one')
    const two = openTab('two')
    await pass(0)
    two.takeOver()
    await pass(0)
    expect(log).toEqual(['one leads', 'two leads', 'one lost'])
    two.close()
    await pass(0)
    expect(log.at(-1)).toBe('one leads')
  })

  it('stand again every few seconds, and not at once, where the browser grants no lock', async () => {
    let requests = 0
    const granting = locks
    let refuses = true
    locks = {
      request: async (...request: unknown[]) => {
        requests += 1
        if (refuses) throw new DOMException('The document is not active', 'InvalidStateError')
        return await (granting.request as (...all: unknown[]) => Promise<void>)(...request)
      },
    } as unknown as typeof locks
    openTab('one')
    await pass(60_000)
    expect(requests).toBeGreaterThan(10)
    expect(requests).toBeLessThan(30)
    expect(log).toEqual([])
    refuses = false
    await pass(6_000)
    expect(log).toEqual(['one leads'])
  })

  it('follow each for itself where the browser has no locks', async () => {
    vi.stubGlobal('navigator', {})
    for (const tab of ['one', 'two'])
      electLeaderTab({
        name: 'r',
        isVisible: () => true,
        onElected: () => log.push(`${tab} leads`),
        onLost: () => log.push('lost'),
      })
    await pass(60_000)
    expect(log).toEqual(['one leads', 'two leads'])
  })
})
