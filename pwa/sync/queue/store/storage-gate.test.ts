import { afterEach, describe, expect, it, vi } from 'vitest'

/** The locks of one browser as far as pages that come and go need them: one holder after the other. */
function browserLocks() {
  let line: Promise<unknown> = Promise.resolve()
  const request = (_name: string, ...rest: readonly unknown[]) => {
    const run = rest.at(-1) as () => unknown
    const turn = line.then(run)
    line = turn.catch(() => undefined)
    return turn
  }
  return { request }
}

/** A page of that browser, opened now. */
async function openPage() {
  vi.resetModules()
  return await import('./storage-gate.ts')
}

async function isOpen(stands: Promise<void>): Promise<boolean> {
  const soon = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))
  return await Promise.race([stands.then(() => true), soon])
}

afterEach(() => vi.unstubAllGlobals())

describe('while the storage may be emptied', () => {
  it('neither the page that asked for it nor one that opens meanwhile keeps anything; both go on when it is over', async () => {
    vi.stubGlobal('navigator', { serviceWorker: {}, locks: browserLocks() })
    const page = await openPage()
    expect(await isOpen(page.storageReady())).toBe(true)
    let end = () => {}
    const emptying = page.withWritesPaused(() => new Promise<string>((resolve) => (end = () => resolve('told'))))
    expect(await isOpen(page.storageReady())).toBe(false)
    const later = await openPage()
    expect(await isOpen(later.storageReady())).toBe(false)
    end()
    expect(await emptying).toBe('told')
    expect(await isOpen(page.storageReady())).toBe(true)
    expect(await isOpen(later.storageReady())).toBe(true)
  })

  it('that fails keeps nobody waiting', async () => {
    vi.stubGlobal('navigator', { serviceWorker: {}, locks: browserLocks() })
    const page = await openPage()
    await expect(page.withWritesPaused(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
    expect(await isOpen(page.storageReady())).toBe(true)
  })

  it('is never begun where other pages could not be held back', async () => {
    vi.stubGlobal('navigator', {})
    const page = await openPage()
    expect(await page.withWritesPaused(async () => 'told')).toBeUndefined()
    expect(await isOpen(page.storageReady())).toBe(true)
  })
})
