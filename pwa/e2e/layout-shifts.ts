import type { Page } from 'playwright/test'

/** How much moved by itself before anything was pressed, as Chromium counts it: up to 0.1 is what web.dev calls good. */
export const movedByItself = (page: Page): Promise<number> =>
  page.evaluate(
    async () =>
      await new Promise<number>((resolve) => {
        let pressedAt = Infinity
        let shifts: (PerformanceEntry & { value: number; hadRecentInput: boolean })[] = []
        new PerformanceObserver((list) => {
          pressedAt = Math.min(pressedAt, ...list.getEntries().map(({ startTime }) => startTime))
        }).observe({ type: 'first-input', buffered: true })
        new PerformanceObserver((list) => {
          shifts = [...shifts, ...(list.getEntries() as typeof shifts)]
        }).observe({ type: 'layout-shift', buffered: true })
        const sum = () =>
          shifts
            .filter(({ startTime, hadRecentInput }) => !hadRecentInput && startTime < pressedAt)
            .reduce((total, { value }) => total + value, 0)
        // Entries of the past are handed over before the next frame but one.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum())))
      }),
  )
