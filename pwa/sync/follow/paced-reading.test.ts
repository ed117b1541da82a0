import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readPaced } from './paced-reading.ts'

let value = 0
let seen: number[] = []
const paced = (restMs: number, read = async () => value) =>
  readPaced({ read, onRead: (now) => seen.push(now), onFailed: () => seen.push(-1), restMs: () => restMs })

beforeEach(() => {
  vi.useFakeTimers()
  value = 0
  seen = []
})
afterEach(() => vi.useRealTimers())

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('what is read at a pace', () => {
  it('is read at once, and once more for all that changed meanwhile', async () => {
    const { refresh } = paced(0)
    refresh()
    value = 1
    refresh()
    refresh()
    await pass(0)
    expect(seen).toEqual([0, 1])
    value = 2
    refresh()
    await pass(0)
    expect(seen).toEqual([0, 1, 2])
  })

  it('rests after a costly reading, and never misses the last change', async () => {
    const { refresh } = paced(100)
    refresh()
    await pass(0)
    for (value = 1; value < 9; value += 1) {
      refresh()
      await pass(10)
    }
    expect(seen).toEqual([0])
    await pass(20)
    expect(seen).toEqual([0, 9])
    await pass(1000)
    expect(seen).toEqual([0, 9])
    refresh()
    await pass(0)
    expect(seen, 'rested, it is read at once').toEqual([0, 9, 9])
  })

  it('says when it cannot be read, and reads again after the next change', async () => {
    let fails = true
    const { refresh } = paced(0, async () => {
      if (fails) throw new Error('Storage is forbidden')
      return 5
    })
    refresh()
    await pass(0)
    fails = false
    refresh()
    await pass(0)
    expect(seen).toEqual([-1, 5])
  })

  it('is not read after its end', async () => {
    const { refresh, end } = paced(100)
    refresh()
    end()
    refresh()
    await pass(1000)
    expect(seen).toEqual([])
  })
})
