/* Every browser, worker and server that runs shared code has these. */
declare class URL {
  constructor(url: string, base?: string)
  readonly href: string
  readonly protocol: string
  readonly hostname: string
  readonly username: string
  readonly password: string
}
declare class URLSearchParams {
  constructor(fields: Record<string, string>)
  toString(): string
}
declare const crypto: { getRandomValues(array: Uint32Array): Uint32Array }
