import type { ScreenName } from './seen-screens.ts'
import type { specification } from './specification.ts'

/** The text stands on a screen; `every-screen.spec.ts` looks. */
export interface Seen {
  readonly on: ScreenName
  /** The text with values put in. */
  readonly as?: string
  /** It stands inside a longer text. */
  readonly within?: true
}

/** A test asserts it. */
export interface Tested {
  /** The test's file, from the project's folder. */
  readonly by: string
  /** Its title, or the title of what it belongs to. */
  readonly test: string
  /** What must stand in the file, where the item is not a text that a person reads. */
  readonly mentions?: string
  /** The file whose rows the test goes through, where they stand in one of their own; the test must import it. */
  readonly rows?: string
}

export type Proof = Seen | Tested

type Specification = typeof specification
type ItemsOf<Part> =
  | (Part extends { readonly texts: readonly (infer Text extends string)[] } ? Text : never)
  | (Part extends { readonly facts: readonly (infer Fact extends string)[] } ? Fact : never)

/** For every item of every section where it is proven. An item that is missing does not compile, nor does one too many. */
export type ProofTable = {
  readonly [Name in keyof Specification]: {
    readonly [Item in ItemsOf<Specification[Name]>]: Proof | readonly Proof[]
  }
}

export const seen = (on: ScreenName, as?: string): Seen => (as === undefined ? { on } : { on, as })
export const within = (on: ScreenName, as?: string): Seen => ({ ...seen(on, as), within: true })
export const tested = (by: string, test: string, mentions?: string): Tested =>
  mentions === undefined ? { by, test } : { by, test, mentions }
/** The same test shows several things. */
export const inTest =
  (by: string, test: string, rows?: string) =>
  (mentions?: string): Tested => ({ ...tested(by, test, mentions), ...(rows === undefined ? {} : { rows }) })
