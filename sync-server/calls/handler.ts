import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { Answer, Received } from '#shared/contract/route.ts'
import type { Basis } from '#shared/record/basis.ts'
import type { Role } from '#shared/contract/roles.ts'
import type { RouteName, Routes } from '#shared/api/routes.ts'
import type { Config } from '../config.ts'
import type { Writing } from '../db/column-names.ts'
import type { SpendAllowance } from './limits.ts'
import type { ProblemError } from './problems.ts'
import type { Touched } from './touched.ts'

/** The caller's account is read for this very request. */
export interface Caller {
  readonly userId: number
  /** The call is about these events: the caller's own, or those of an organizer whose team they act for. */
  readonly organizerId: number
  /** It is null for a person who is not on that organizer's team, or no longer. */
  readonly role: Role | 'owner' | null
  readonly username: string
  readonly isAdmin: boolean
}

export interface Device {
  readonly id: string
  readonly name: string
}

/** A sign-in implies that the browser is remembered. */
export type SessionWish = { readonly signIn: number } | { readonly rememberBrowser: number } | 'sign-out'

export interface CallFrom {
  readonly caller: Caller | null
  readonly device: Device | null
  readonly sessionHash: string | null
  readonly browser: string | null
  /** The text is what `addressSubject` writes, and is never logged. */
  readonly address: string
  /** The token is never logged. */
  readonly applicationToken: string | null
  /** It is true for a program, and for a browser that fetches a page which is not on the screen. */
  readonly isRobot: boolean
  readonly requestId: string
  readonly key: string | null
}

export interface HandlerCall<N extends RouteName> extends Received<Routes[N]>, CallFrom {
  readonly db: Knex
  readonly now: Date
  /** It is true for a change that a database took before it went back. */
  readonly again: boolean
  /** The state the change was made on; undefined where its sender names none. */
  readonly basis: Basis
  readonly config: Config
  readonly log: Logger
  readonly spend: SpendAllowance
  wishSession(wish: SessionWish): void
  /** Names what this call has written or deleted. */
  touch(...touched: readonly Touched[]): void
}

export type DocumentRouteName = { [N in RouteName]: Routes[N] extends { streams: string } ? never : N }[RouteName]

/** Holds finished text, such as documents of the change feed. */
export interface JsonText {
  readonly jsonText: string
  readonly next?: string | null
  readonly etag?: string
}

export function isJsonText(answer: unknown): answer is JsonText {
  return typeof answer === 'object' && answer !== null && typeof (answer as Partial<JsonText>).jsonText === 'string'
}

export type HandlerAnswer<N extends DocumentRouteName> = Answer<Routes[N]> | JsonText
export interface FirstAnswer {
  readonly docId: number | null
  readonly at: Date
}

export type Make<N extends DocumentRouteName> = (call: HandlerCall<N>) => Promise<HandlerAnswer<N>>

/** Has an answer for each call of a transaction, in order. A refused one has written nothing. */
export interface MadeAtOnce<N extends DocumentRouteName> {
  readonly answers: readonly (HandlerAnswer<N> | ProblemError)[]
  /** Goes out with the transaction's last statement, where no other calls follow. */
  readonly writing?: Writing | undefined
}

export type HandlerObject<N extends DocumentRouteName> = Questions<N> &
  (
    | { readonly make: Make<N> }
    | { readonly makeMany: (calls: readonly HandlerCall<N>[]) => Promise<MadeAtOnce<N>> }
    /** Does slow work without a transaction, perhaps twice for a key, and answers what the transaction is to do. */
    | { readonly before: (call: HandlerCall<N>) => Promise<Make<N>> }
  )

interface Questions<N extends DocumentRouteName> {
  /** Refuses a call that names what is not there, before anything is stored. */
  readonly find?: (call: HandlerCall<N>) => Promise<void>
  /** The answer is this document of the caller's feed, and a repeat gets what the feed holds by then. */
  readonly shows?: 'events' | 'applications'
  /** Answers a repeat where the feed does not hold the answer. Throws where it is gone. */
  readonly present?: (call: HandlerCall<N>, first: FirstAnswer) => Promise<HandlerAnswer<N>>
}

/** A function is short for `{ make }`. */
export type Handler<N extends DocumentRouteName> = Make<N> | HandlerObject<N>

export type Handlers = { readonly [N in DocumentRouteName]: Handler<N> }

export interface AnyHandler extends Questions<DocumentRouteName> {
  readonly make?: Make<DocumentRouteName>
  readonly makeMany?: (calls: readonly HandlerCall<DocumentRouteName>[]) => Promise<MadeAtOnce<DocumentRouteName>>
  readonly before?: (call: HandlerCall<DocumentRouteName>) => Promise<Make<DocumentRouteName>>
}

export function handlerOf(handlers: Handlers, name: DocumentRouteName): AnyHandler {
  const handler = handlers[name] as unknown as Make<DocumentRouteName> | AnyHandler
  return typeof handler === 'function' ? { make: handler } : handler
}

/** Shows an organizer's document as the caller's role on the team sees it; it is null for one that it does not see. */
export type ShowTo = (caller: Caller | null, collection: 'events' | 'applications', document: object) => object | null
