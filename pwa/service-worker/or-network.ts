/** Longer than any phone takes to read a file of the app. */
const cachePatienceMs = 3_000

/**
 * Also asks the network when the cache is silent for 3 s: Chromium answers nothing from a cache while the storage is
 * being emptied, as at a sign-out, and a page opened then would wait for ever.
 */
export function orNetwork<Options extends { readonly request: Request }>(
  read: (options: Options) => Promise<Response>,
): (options: Options) => Promise<Response> {
  return (options) => {
    const cached = read(options)
    let patience: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<Response>((resolve) => {
      patience = setTimeout(() => resolve(fetch(options.request).catch(() => cached)), cachePatienceMs)
    })
    return Promise.race([cached, late]).finally(() => clearTimeout(patience))
  }
}
