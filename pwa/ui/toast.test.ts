import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentToasts, dismissToast, toast, watchToasts } from './toast.ts'

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    for (const shown of currentToasts()) dismissToast(shown.id)
    vi.advanceTimersByTime(1_000_000)
    vi.useRealTimers()
  })

  it('are one at a time: a new one replaces the one in sight', () => {
    toast({ title: 'Event Created' })
    toast({ title: 'Event Updated', variant: 'destructive' })
    expect(currentToasts().map((shown) => [shown.title, shown.variant])).toEqual([['Event Updated', 'destructive']])
  })

  it('close at once and leave the list after 1,000,000 ms', () => {
    const { dismiss } = toast({ title: 'Logged out' })
    dismiss()
    expect(currentToasts()).toMatchObject([{ title: 'Logged out', open: false }])
    vi.advanceTimersByTime(999_999)
    expect(currentToasts()).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(currentToasts()).toHaveLength(0)
  })

  it('tell those who watch, until they stop', () => {
    const seen: number[] = []
    const stop = watchToasts(() => seen.push(currentToasts().length))
    toast({ title: 'One' })
    stop()
    toast({ title: 'Two' })
    expect(seen).toEqual([1])
  })

  it('do not close the newer one when an older one is dismissed late', () => {
    const older = toast({ title: 'Older' })
    toast({ title: 'Newer' })
    older.dismiss()
    expect(currentToasts()).toMatchObject([{ title: 'Newer', open: true }])
  })
})
