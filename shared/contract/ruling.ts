import type { ProblemCode } from './problem.ts'

/** Why a change cannot be made, in the words of whoever wants it. */
export interface Refused {
  readonly refused: ProblemCode
  readonly message: string
}

/** What a rule says of a change: it is to be made, everything is as it wishes already, or it is refused. */
export type Ruling = 'change' | 'already' | Refused
