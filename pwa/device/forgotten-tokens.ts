import { writeText, observable } from '../sync/index.ts'
import { readJson } from './kept-json.ts'

/**
 * Going back in a tab's history must not open the page of a removed application: the tab remembers its token's
 * fingerprint, which opens nothing.
 */
const storageName = 'beaconry/forgotten'
const channelName = 'beaconry-forgotten'

/** 53 bits of a text that cannot be turned back into it (cyrb53, public domain); a token has far more. */
function fingerprint(token: string): string {
  let first = 0xdeadbeef
  let second = 0x41c6ce57
  for (let index = 0; index < token.length; index += 1) {
    const code = token.charCodeAt(index)
    first = Math.imul(first ^ code, 2_654_435_761)
    second = Math.imul(second ^ code, 1_597_334_677)
  }
  first = Math.imul(first ^ (first >>> 16), 2_246_822_507) ^ Math.imul(second ^ (second >>> 13), 3_266_489_909)
  second = Math.imul(second ^ (second >>> 16), 2_246_822_507) ^ Math.imul(first ^ (first >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & second) + (first >>> 0)).toString(36)
}

export const forgottenTokens = observable((readJson(storageName, 'sessionStorage') ?? []) as readonly string[])

function keep(fingerprints: readonly string[]): void {
  forgottenTokens.set(fingerprints)
  writeText(storageName, JSON.stringify(fingerprints), 'sessionStorage')
}

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : null
channel?.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) =>
  keep([...new Set([...forgottenTokens.get(), ...data])]),
)

/** They open nothing in open tabs until the user follows their link again. */
export function rememberForgotten(tokens: readonly string[]): void {
  const fingerprints = tokens.map(fingerprint)
  keep([...new Set([...forgottenTokens.get(), ...fingerprints])])
  channel?.postMessage(fingerprints)
}

export const isForgotten = (token: string, fingerprints: readonly string[]): boolean =>
  fingerprints.includes(fingerprint(token))

/** For following the link of an own page. */
export function allowAgain(token: string): void {
  const fingerprints = forgottenTokens.get()
  if (isForgotten(token, fingerprints)) keep(fingerprints.filter((known) => known !== fingerprint(token)))
}

/** Rather than by going back or by a reload. */
export function wasFollowed(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'navigate'
}
