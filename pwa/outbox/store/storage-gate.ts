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

// Only where there are pages; elsewhere nobody empties anything.
const browser = globalThis.navigator as typeof navigator | undefined
const locks = browser && 'serviceWorker' in browser ? browser.locks : undefined
if (locks) close(locks.request(lockName, { mode: 'shared' }, () => undefined).catch(() => undefined))

/** To be awaited before something is kept that must not be lost: what is kept after it resolves stands. */
export async function storageStands(): Promise<void> {
  while (gate) await gate
}

/**
 * Runs what may empty the storage, while this page and every page that opens meanwhile keeps nothing. Pages that are open
 * already are the caller's to look for, after it began. Undefined, and nothing run, where pages cannot be held back.
 */
export async function whileNothingIsKept<T>(run: () => Promise<T>): Promise<T | undefined> {
  if (!locks) return undefined
  let open = () => {}
  close(new Promise<void>((resolve) => (open = resolve)))
  try {
    return await locks.request(lockName, async () => await run())
  } finally {
    open()
  }
}
