/** Held while the browser may be emptying the storage of this address. */
const lockName = 'beaconry-emptying'

/** A page that opens meanwhile keeps nothing before it is over. Undefined when nothing is to be waited for. */
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

/** Resolves when the storage is not being emptied: await it before writing anything that must not be lost. */
export async function storageReady(): Promise<void> {
  while (gate) await gate
}

/**
 * Runs what may empty the storage, while writes of this page and of every page that opens meanwhile wait. The caller has to make
 * sure that no other page is open. Undefined, and nothing run, where pages cannot be made to wait.
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
