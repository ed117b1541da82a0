const second = 1000
/** When to look, after the worker was registered; a first installation on a slow network takes its time. */
const looksAfterMs = [3, 5, 10, 20, 30, 60].map((seconds) => seconds * second)

/**
 * Sees to it that a worker takes charge of this page, without which it does not open offline. Registering is not enough: while
 * a former registration is being removed (the storage was emptied at a sign-out, or another tab unregistered it), the browser
 * drops a registration that begins, with an error or without; or it keeps the old one, whose worker is active already and never
 * comes to the moment in which it takes charge of the pages.
 * @param register registers the worker; what it fails of is not told
 */
export async function seeToWorkerInCharge(register: () => void): Promise<void> {
  const workers = navigator.serviceWorker
  if (!workers) return
  let wasAsked = false
  for (const afterMs of looksAfterMs) {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (workers.controller) return
    const registration = await workers.getRegistration().catch(() => undefined)
    if (registration?.installing || (registration?.waiting && !registration.active)) continue
    if (registration?.active && !wasAsked && (await hasPrecache())) {
      wasAsked = true
      registration.active.postMessage({ type: 'TAKE_CHARGE' })
      continue
    }
    // A worker that does not listen, or whose files were deleted, is of no use: the next one brings them along.
    wasAsked = false
    await registration?.unregister().catch(() => undefined)
    register()
  }
}

/** Whether the app's files are here for a worker to serve: the shell stands for all, they come and go together. */
async function hasPrecache(): Promise<boolean> {
  const shell = await caches.match('/index.html', { ignoreSearch: true }).catch(() => undefined)
  return shell !== undefined
}
