import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { textStorage } from '../testing/text-storage.ts'

const dayMs = 86_400_000
const trueTime = Date.parse('2026-11-22T12:00:00.300Z')

let clock: { wallMs: number; counterMs: number }
let disk: Map<string, string>

/** Time goes by, for the clock on the wall and the counter alike. */
const pass = (ms: number) => {
  clock.wallMs += ms
  clock.counterMs += ms
}

beforeEach(() => {
  clock = { wallMs: trueTime, counterMs: 5000 }
  disk = new Map()
  vi.spyOn(Date, 'now').mockImplementation(() => clock.wallMs)
  vi.spyOn(performance, 'now').mockImplementation(() => clock.counterMs)
  vi.stubGlobal('localStorage', textStorage(disk))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The module as a page that starts now has it. */
async function start() {
  vi.resetModules()
  return await import('./server-time.ts')
}

type ServerTime = Awaited<ReturnType<typeof start>>

/** An answer that was written `aheadMs` ahead of this device's clock, after a round trip of `tripMs`. */
function answer({ noteServerDate }: ServerTime, aheadMs: number, { tripMs = 100, ours = true, date = true } = {}) {
  const sentAt = clock.counterMs
  pass(tripMs / 2)
  const written = new Date(Math.floor((clock.wallMs + aheadMs) / 1000) * 1000).toUTCString()
  pass(tripMs / 2)
  const headers = new Headers({ ...(ours ? { 'X-Beaconry': '1' } : {}), ...(date ? { Date: written } : {}) })
  noteServerDate({ headers }, sentAt)
}

describe("the server's time", () => {
  it.each([
    ['400 days fast', -400 * dayMs],
    ['a day slow', dayMs],
    ['right', 0],
  ])('is right to a second on a device whose clock is %s', async (_, aheadMs) => {
    const time = await start()
    answer(time, aheadMs)
    pass(3_600_000)
    expect(Math.abs(time.serverNowMs() - (clock.wallMs + aheadMs))).toBeLessThanOrEqual(1000)
    expect(time.serverNow().getTime()).toBe(time.serverNowMs())
  })

  it('is the device’s own before any answer, and after one that is not ours or names no time', async () => {
    const time = await start()
    answer(time, 400 * dayMs, { ours: false })
    answer(time, 400 * dayMs, { date: false })
    expect(time.serverNowMs()).toBe(clock.wallMs)
  })

  it('does not tremble with every answer, nor believe a slow one more than a quick one', async () => {
    const time = await start()
    answer(time, dayMs)
    const heard = vi.fn()
    time.clockCorrection.subscribe(heard)
    const ahead = time.serverNowMs() - clock.wallMs
    for (const tripMs of [50, 400, 8000, 19_000, 120]) {
      pass(12_345)
      answer(time, dayMs, { tripMs })
      expect(Math.abs(time.serverNowMs() - clock.wallMs - ahead)).toBeLessThanOrEqual(600)
    }
    expect(heard).not.toHaveBeenCalled()
  })

  it('is remembered for a start without a network, and forgotten once the clock is right', async () => {
    answer(await start(), -400 * dayMs)
    pass(dayMs)
    const later = await start()
    expect(Math.abs(later.serverNowMs() - (clock.wallMs - 400 * dayMs))).toBeLessThanOrEqual(1000)
    clock.wallMs -= 400 * dayMs
    answer(later, 0)
    expect(disk.size).toBe(0)
    expect(Math.abs((await start()).serverNowMs() - clock.wallMs)).toBeLessThanOrEqual(1000)
  })

  it('keeps nothing on a device whose clock is right', async () => {
    answer(await start(), 700)
    expect(disk.size).toBe(0)
  })

  it('goes on when the clock is set back, and follows the next answer when it is set forward', async () => {
    const time = await start()
    answer(time, 0)
    const before = time.serverNowMs()
    clock.wallMs -= 3 * dayMs
    pass(60_000)
    expect(time.serverNowMs() - before).toBe(60_000)
    answer(time, 3 * dayMs)
    expect(Math.abs(time.serverNowMs() - (clock.wallMs + 3 * dayMs))).toBeLessThanOrEqual(1000)
    clock.wallMs += 10 * dayMs
    answer(time, -7 * dayMs)
    expect(Math.abs(time.serverNowMs() - (clock.wallMs - 7 * dayMs))).toBeLessThanOrEqual(1000)
  })

  it('has gone on while the device slept', async () => {
    const time = await start()
    answer(time, dayMs)
    clock.wallMs += 8 * 3_600_000
    clock.counterMs += 5
    expect(Math.abs(time.serverNowMs() - (clock.wallMs + dayMs))).toBeLessThanOrEqual(1000)
  })

  it('tells the screens when a correction could be seen', async () => {
    const time = await start()
    const heard = vi.fn()
    time.clockCorrection.subscribe(heard)
    answer(time, 300)
    expect(heard).not.toHaveBeenCalled()
    answer(time, dayMs)
    expect(heard).toHaveBeenCalledTimes(1)
  })

  it('turns an instant of the device into what the server’s clock showed then', async () => {
    const time = await start()
    answer(time, -400 * dayMs)
    const noted = new Date(clock.wallMs).toISOString()
    pass(3_600_000)
    const shown = Date.parse(time.byServerClock(noted))
    expect(Math.abs(shown - (time.serverNowMs() - 3_600_000))).toBeLessThanOrEqual(1)
  })
})
