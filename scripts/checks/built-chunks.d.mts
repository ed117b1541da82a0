interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

export function filesOf(manifest: Manifest, name: string): ReadonlySet<string>
export function findUnkeptImports(manifest: Manifest, kept: ReadonlySet<string>): string[]
export const rxdbText: string
export function findMisplacedRxdb(
  manifest: Manifest,
  texts: ReadonlyMap<string, string>,
  modules: { readonly visitors: readonly string[]; readonly replica: string },
): string[]
export const blockedWords: RegExp
export function findBlockedNames(files: readonly string[]): string[]
