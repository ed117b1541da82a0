import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { Answer, Received } from '#shared/contract/route.ts'
import type { Basis } from '#shared/record/basis.ts'
import type { RouteName, Routes } from '#shared/api/routes.ts'
import type { Config } from '../config.ts'
import type { SpendAllowance } from './limits.ts'
import { ProblemError } from './problems.ts'
import type { Touched } from './touched.ts'

/** Who is calling. A visitor is `null`. `isAdmin` was read from the database for this very request. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly isAdmin: boolean
}

/** The phone or computer a call comes from, as its owner named it. */
export interface Device {
  readonly id: string
  readonly name: string
}

/**
 * What a handler may do to the session: a wish, carried out once its transaction is committed. A queued call in a batch
 * cannot sign anyone in or out.
 */
export interface SessionControl {
  signIn(userId: number): Promise<void>
  signOut(): Promise<void>
  /** From now on this browser is one the account was used in before; signing in implies it. */
  rememberBrowser(userId: number): Promise<void>
}

/** Everything a handler is given. A mutating route's `db` is the transaction its idempotency row stands in. */
export interface HandlerCall<N extends RouteName> extends Received<Routes[N]> {
  readonly db: Knex
  readonly caller: Caller | null
  readonly device: Device | null
  /** Names the caller's session in the database; null without one. */
  readonly sessionHash: string | null
  /** Names the browser the call comes from, where a user has signed in before; null in any other. */
  readonly browser: string | null
  /** Where the caller is as allowances count it (`addressSubject`), and for nothing else; never logged. */
  readonly address: string
  /** From the header of that name; null without one. Never logged. */
  readonly applicationToken: string | null
  readonly now: Date
  readonly requestId: string
  /** The Idempotency-Key of a keyed call; null for any other. */
  readonly key: string | null
  /** Its sender says that it was taken before, by a database that has gone back since. */
  readonly again: boolean
  /** The state it was made on; undefined where its sender names none. */
  readonly basis: Basis | undefined
  readonly config: Config
  readonly log: Logger
  readonly session: SessionControl
  readonly spend: SpendAllowance
  /** Says what this call has written, or deleted, that others see: they are shown it as the transaction leaves it. */
  touch(...touched: readonly Touched[]): void
}

/** A route that runs as one command and answers one JSON document. */
export type DocumentRouteName = { [N in RouteName]: Routes[N] extends { streams: string } ? never : N }[RouteName]

/**
 * A handler that has its answer as finished JSON text already (the change feed keeps documents that way) returns this
 * instead of the value, and it is sent without being parsed.
 */
export interface JsonText {
  readonly jsonText: string
  /** Of a list with more than one page: `after` of the next one. */
  readonly next?: string | null
}

export interface Handler<N extends DocumentRouteName> {
  (call: HandlerCall<N>): Promise<HandlerAnswer<N>>
  /**
   * Several calls of one transaction in few statements, for the hundreds that a phone brings back from a hall. Answers
   * one answer or refusal per call, in order; a call that is refused has written nothing. Where the answers would have more
   * bytes than `room`, the later calls are left untouched; the first never is.
   */
  readonly many?: HandleMany<N>
  /**
   * Throws the refusal of a call which names what is not there. Asked before anything is counted or kept for the call; its
   * `db` may be the pool.
   */
  readonly find?: (call: HandlerCall<N>) => Promise<void>
  /**
   * What the call is about, as it is now. A change that changed nothing keeps only its status and version; sent once more it
   * is answered with this. Throws where that is gone.
   */
  readonly present?: (call: HandlerCall<N>) => Promise<HandlerAnswer<N>>
  /**
   * Slow work that needs no connection, such as hashing a password: it is done before the transaction begins, its `db`
   * is the pool, and it answers what the transaction is to do. Of a call with a key that was answered before it is not
   * done again; of two such calls at once it may be done twice.
   */
  readonly before?: (call: HandlerCall<N>) => Promise<Handler<N>>
}

type HandlerAnswer<N extends DocumentRouteName> = Answer<Routes[N]> | JsonText
export type HandleMany<N extends DocumentRouteName> = (
  calls: readonly HandlerCall<N>[],
  room: number,
) => Promise<readonly (HandlerAnswer<N> | ProblemError | 'untouched')[]>

/** A handler for one call or many, from what handles many: both give the same answers. */
export function handlerOfMany<N extends DocumentRouteName>(many: HandleMany<N>): Handler<N> {
  const one = async (call: HandlerCall<N>): Promise<HandlerAnswer<N>> => {
    const [answer] = await many([call], Infinity)
    if (answer instanceof ProblemError) throw answer
    return answer as HandlerAnswer<N>
  }
  return Object.assign(one, { many })
}

/** A handler that does slow work before its transaction begins; see `Handler.before`. */
export function beforeTransaction<N extends DocumentRouteName>(
  before: (call: HandlerCall<N>) => Promise<Handler<N>>,
): Handler<N> {
  const whole = async (call: HandlerCall<N>): Promise<HandlerAnswer<N>> => await (await before(call))(call)
  return Object.assign(whole, { before })
}

/** The handlers of every document route: a missing one, or one with a wrong answer, does not compile. */
export type Handlers = { readonly [N in DocumentRouteName]: Handler<N> }

/** Handlers of one room. */
export type Room<N extends DocumentRouteName> = Pick<Handlers, N>
