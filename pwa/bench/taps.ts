import type { Page } from 'playwright/test'

/** As fast as anyone decides, once they have seen what the tap before did. */
const tapEveryMs = 200

/** What the taps looked like from the page; milliseconds throughout. */
interface Tapped {
  readonly drainMs: number
  /** Each tap's time to its first paint, from the moment it was due. */
  readonly taps: readonly number[]
  /** Each tap's time until the page knows it on disk. */
  readonly onDisk: readonly number[]
  readonly longestFrame: number
  readonly longestTask: number
  readonly blocked: number
}

/** Leaves two functions on the page: one taps Approve in a row and tells when the paint with it is over, one tells whether a row is left. */
export async function prepareTaps(page: Page): Promise<void> {
  await page.evaluate(() => {
    const approve = (row: Element) => row.querySelector<HTMLElement>('button[aria-label^="Approve"]')
    const undecided = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].find(approve)
    const untilPainted = () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(null)
        }),
      )
    // Heard by the page, which may draw before it listens.
    let tappedAt = 0
    const onDisk: number[] = []
    const begin = IDBDatabase.prototype.transaction
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<typeof begin>) {
      const transaction = begin.apply(this, args)
      if (args[1] === 'readwrite' && this.name === 'beaconry-outbox' && tappedAt > 0) {
        const since = tappedAt
        tappedAt = 0
        transaction.addEventListener('complete', () => onDisk.push(performance.now() - since))
      }
      return transaction
    }
    const tapNext = async (): Promise<number> => {
      const id = undecided()?.dataset['row'] ?? ''
      const row = () => document.querySelector<HTMLElement>(`[data-row="${id}"]`)
      const button = approve(row() ?? document.body)
      if (!button) throw new Error(`Application ${id} cannot be approved`)
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!row()?.textContent?.includes('Approved')) return
          observer.disconnect()
          resolve()
        })
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        tappedAt = performance.now()
        button.click()
      })
      const paintedAt = await untilPainted()
      // The next ones come near the window.
      row()?.scrollIntoView({ block: 'start' })
      return paintedAt
    }
    Object.assign(window, { tapNext, onDisk, rowsLeft: () => (undecided() ? 1 : 0) })
  })
}

/** Taps at a steady pace, so many times, or until the queue's first `untilSettled` entries are settled after the network came back. */
export async function tapWhile(
  page: Page,
  { times, untilSettled = 0 }: { readonly times?: number; readonly untilSettled?: number },
): Promise<Tapped> {
  return await page.evaluate(
    async ({ times, tapEveryMs, untilSettled }) => {
      const { tapNext, onDisk, rowsLeft } = window as unknown as {
        tapNext: () => Promise<number>
        onDisk: number[]
        rowsLeft: () => number
      }
      onDisk.length = 0
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('beaconry-outbox')
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error ?? new Error('IndexedDB does not open'))
      })
      // The entries that were there before the first tap; taps come behind them.
      const left = () =>
        new Promise<number>((resolve, reject) => {
          const counting = database
            .transaction('entries')
            .objectStore('entries')
            .count(IDBKeyRange.upperBound(untilSettled))
          counting.onsuccess = () => resolve(counting.result)
          counting.onerror = () => reject(counting.error ?? new Error('IndexedDB does not count'))
        })
      if (times === undefined && !navigator.onLine)
        await new Promise<void>((resolve) => addEventListener('online', () => resolve(), { once: true }))
      const start = performance.now()
      let isOver = false
      let longestFrame = 0
      let frameAt = start
      const frame = () => {
        const now = performance.now()
        longestFrame = Math.max(longestFrame, now - frameAt)
        frameAt = now
        if (!isOver) requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
      const tasks: number[] = []
      const observer = new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map(({ duration }) => duration)),
      )
      observer.observe({ type: 'longtask' })
      const taps: number[] = []
      const tapping = (async () => {
        for (let tap = 1; !isOver && rowsLeft() > 0 && (times === undefined || tap <= times); tap += 1) {
          const dueAt = performance.now() + tapEveryMs
          await new Promise((resolve) => setTimeout(resolve, tapEveryMs))
          if (!isOver) taps.push((await tapNext()) - dueAt)
        }
      })()
      if (times === undefined) while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
      else await tapping
      const drainMs = performance.now() - start
      isOver = true
      await tapping
      observer.disconnect()
      database.close()
      const blocked = tasks.reduce((sum, duration) => sum + duration - 50, 0)
      return { drainMs, taps, onDisk, longestFrame, longestTask: Math.max(0, ...tasks), blocked }
    },
    { times, tapEveryMs, untilSettled },
  )
}

/** What the browser itself takes for one row in a transaction that is on disk; milliseconds. */
export async function plainWrites(page: Page, times: number): Promise<number[]> {
  return await page.evaluate(async (times) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('bench-floor', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true })
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error ?? new Error('IndexedDB does not open'))
    })
    const seen: number[] = []
    for (let time = 0; time < times; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      const start = performance.now()
      const transaction = database.transaction('rows', 'readwrite', { durability: 'strict' })
      transaction.objectStore('rows').add({ text: 'x'.repeat(400) })
      await new Promise((resolve) => (transaction.oncomplete = resolve))
      seen.push(performance.now() - start)
    }
    database.close()
    return seen
  }, times)
}
