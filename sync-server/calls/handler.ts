import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { Answer, Received } from '#shared/contract/route.ts'
import type { Basis } from '#shared/record/basis.ts'
import type { RouteName, Routes } from '#shared/api/routes.ts'
import type { Config } from '../config.ts'
import type { SpendAllowance } from './limits.ts'
import { ProblemError } from './problems.ts'
import type { Touched } from './touched.ts'

/** A visitor is `null`. `isAdmin` was read from the database for this very request. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly isAdmin: boolean
}

export interface Device {
  readonly id: string
  readonly name: string
}

/** Signing in implies remembering the browser. */
export type SessionWish = { readonly signIn: number } | { readonly rememberBrowser: number } | 'sign-out'

export interface CallFrom {
  readonly caller: Caller | null
  readonly device: Device | null
  readonly sessionHash: string | null
  /** Null in a browser in which no user has signed in. */
  readonly browser: string | null
  /** As allowances count it (`addressSubject`), and for nothing else; never logged. */
  readonly address: string
  /** From the header; never logged. */
  readonly applicationToken: string | null
  /** Sent by a program, or by a browser for a page that is not on the screen. */
  readonly isRobot: boolean
  readonly requestId: string
  /** The Idempotency-Key, known to be a uuid. */
  readonly key: string | null
}

export interface HandlerCall<N extends RouteName> extends Received<Routes[N]>, CallFrom {
  readonly db: Knex
  readonly now: Date
  /** Taken before by a database that has gone back since. */
  readonly again: boolean
  /** The state the change was made on; undefined where its sender names none. */
  readonly basis: Basis | undefined
  readonly config: Config
  readonly log: Logger
  readonly spend: SpendAllowance
  /** Carried out after the commit. A queued call in a batch cannot sign its sender in or out. */
  wishSession(wish: SessionWish): void
  /** Names what this call has written or deleted: others are shown it as the transaction leaves it. */
  touch(...touched: readonly Touched[]): void
}

export type DocumentRouteName = { [N in RouteName]: Routes[N] extends { streams: string } ? never : N }[RouteName]

/** JSON text, as the change feed keeps documents: sent without being parsed. */
export interface JsonText {
  readonly jsonText: string
  /** Of a list with more than one page: `after` of the next one. */
  readonly next?: string | null
}

export interface Handler<N extends DocumentRouteName> {
  (call: HandlerCall<N>): Promise<HandlerAnswer<N>>
  /**
   * Several calls of one transaction. Answers one answer or refusal per call, in order; a refused call has written nothing.
   * Where the answers would exceed `room` bytes, the later calls are left untouched; the first never is.
   */
  readonly many?: HandleMany<N>
  /**
   * Throws the refusal of a call which names what is not there. Asked before anything is counted or kept; its `db` may be
   * the pool.
   */
  readonly find?: (call: HandlerCall<N>) => Promise<void>
  /** What the call is about, as it is now: answers a repeat of a change that kept no document. Throws where that is gone. */
  readonly present?: (call: HandlerCall<N>) => Promise<HandlerAnswer<N>>
  /**
   * Slow work without a connection, such as hashing a password; its `db` is the pool. It answers what the transaction is to
   * do. Two calls under one key at once may do it twice.
   */
  readonly before?: (call: HandlerCall<N>) => Promise<Handler<N>>
}

type HandlerAnswer<N extends DocumentRouteName> = Answer<Routes[N]> | JsonText
export type HandleMany<N extends DocumentRouteName> = (
  calls: readonly HandlerCall<N>[],
  room: number,
) => Promise<readonly (HandlerAnswer<N> | ProblemError | 'untouched')[]>

export function handlerOfMany<N extends DocumentRouteName>(many: HandleMany<N>): Handler<N> {
  const one = async (call: HandlerCall<N>): Promise<HandlerAnswer<N>> => {
    const [answer] = await many([call], Infinity)
    if (answer instanceof ProblemError) throw answer
    return answer as HandlerAnswer<N>
  }
  return Object.assign(one, { many })
}

export function beforeTransaction<N extends DocumentRouteName>(
  before: (call: HandlerCall<N>) => Promise<Handler<N>>,
): Handler<N> {
  const whole = async (call: HandlerCall<N>): Promise<HandlerAnswer<N>> => await (await before(call))(call)
  return Object.assign(whole, { before })
}

/** A missing handler, or one with a wrong answer, does not compile. */
export type Handlers = { readonly [N in DocumentRouteName]: Handler<N> }
