/** Held while the browser may be emptying the storage of this address. */
const lockName = 'beaconry-emptying'

let gate: Promise<unknown> | undefined

function close(until: Promise<unknown>): void {
  gate = until
  void until.finally(() => {
    if (gate === until) gate = undefined
  })
}

// Only pages empty the storage.
const browser = globalThis.navigator as typeof navigator | undefined
const locks = browser && 'serviceWorker' in browser ? browser.locks : undefined
if (locks) close(locks.request(lockName, { mode: 'shared' }, () => undefined).catch(() => undefined))

/** Await it before writing anything that must not be lost. */
export async function storageReady(): Promise<void> {
  while (gate) await gate
}

/**
 * Runs what may empty the storage, while writes of this page and of pages that open meanwhile wait. The caller makes
 * sure that no other page is open. Undefined, and nothing run, without Web Locks.
 */
export async function withWritesPaused<T>(run: () => Promise<T>): Promise<T | undefined> {
  if (!locks) return undefined
  let open = () => {}
  close(new Promise<void>((resolve) => (open = resolve)))
  try {
    return await locks.request(lockName, async () => await run())
  } finally {
    open()
  }
}
