/**
 * Where cards are charged, the server shows the checkout document, in which the payment provider's script may run. It
 * is never cached.
 */
export const checkout = [/^\/checkout(-status)?\/?(\?|$)/]

/** The app is not shown at these addresses: they belong to the server, or to a file. */
export const outsideTheApp = [
  /^\/api\//,
  ...checkout,
  /^\/unsubscribe\//,
  /^\/mail-preview/,
  /^\/healthz/,
  /^\/readyz/,
  // A path with an ending means a file.
  /\/[^/?]+\.\w+(\?|$)/,
]

/** Finds a window of the app to show a path in, and prefers one that shows it already. */
export function appWindowFor<W extends { readonly url: string }>(path: string, windows: readonly W[]): W | undefined {
  const ofApp = windows.filter(({ url }) => {
    const { pathname, search } = new URL(url)
    return !outsideTheApp.some((pattern) => pattern.test(pathname + search))
  })
  return ofApp.find(({ url }) => new URL(path, url).pathname === new URL(url).pathname) ?? ofApp[0]
}
