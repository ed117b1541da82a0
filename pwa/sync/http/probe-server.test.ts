import { afterEach, expect, it, vi } from 'vitest'
import { probeWhileUnreachable } from './probe-server.ts'
import { noteAnswered, noteUnanswered, reachability } from './reachability.ts'

let stop = () => {}
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  reachability.set('unknown')
})

/** A document whose visibility the test decides. */
function showPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  return (visibilityState: 'visible' | 'hidden') => {
    page.visibilityState = visibilityState
    page.dispatchEvent(new Event('visibilitychange'))
  }
}

it('a server that cannot be reached is asked every 10 to 15 s while the page is looked at', async () => {
  vi.useFakeTimers()
  reachability.set('unknown')
  const look = showPage()
  let isBack = false
  const ask = vi.fn(async () => {
    if (!isBack) throw new TypeError('Failed to fetch')
    noteAnswered('probe')
  })
  stop = probeWhileUnreachable(ask)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ask, 'nothing is known to be wrong').not.toHaveBeenCalled()

  noteUnanswered('pull')
  await vi.advanceTimersByTimeAsync(9_999)
  expect(ask).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5_001)
  expect(ask).toHaveBeenCalledTimes(1)
  look('hidden')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(ask, 'in a hidden page').toHaveBeenCalledTimes(1)

  look('visible')
  isBack = true
  await vi.advanceTimersByTimeAsync(15_000)
  expect(ask).toHaveBeenCalledTimes(2)
  expect(reachability.get()).toBe('reachable')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(ask, 'once it answers').toHaveBeenCalledTimes(2)
})
