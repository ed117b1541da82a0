/* The one web standard that shared code may name: URL exists in every browser, worker and server it runs in. */
declare class URL {
  constructor(url: string, base?: string)
  readonly href: string
  readonly protocol: string
  readonly hostname: string
  readonly username: string
  readonly password: string
}
