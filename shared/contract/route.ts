import type * as z from 'zod'
import type { Role } from './roles.ts'
import type { EndpointName } from './endpoints.ts'

/**
 * `owner` is the signed-in organizer of the event in the path or query (a stranger's event answers 404). `admin` is
 * read from the database for each request.
 */
export type Access = 'anyone' | 'user' | 'owner' | 'admin'

/** Nouns write their calls in this form. `endpoints.ts` has method and path under the same name. */
export interface WrittenRoute {
  readonly summary: string
  readonly access: Access
  /**
   * A member of an organizer's team needs this role at least to make the call for that organizer. Without it no member
   * may.
   */
  readonly team?: Role
  /** The call needs it, next to those that any call may carry. */
  readonly header?: 'applicationToken'
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Limits the bytes of the body, where it may be longer than others. */
  readonly longestBody?: number
  /** Describes the answer's JSON; an answer without a body leaves it out. */
  readonly answer?: z.ZodType
  /** By default the status is 200, or 204 without a body. */
  readonly status?: 201
  /** The answer is an event stream, or has one JSON line per entry. */
  readonly streams?: 'text/event-stream' | 'application/x-ndjson'
  /** Answers 404 where there are no plans. */
  readonly needsPlans?: true
  /** May be queued in the outbox and replayed; it is keyed. */
  readonly queueable?: true
  /** The Idempotency-Key is stored with its answer: any other change is the same twice as once. */
  readonly isKeyed?: true
  /** The change has no transaction and no audit line, which would tell who read what. */
  readonly isUnaudited?: true
  /** The change gives its document another state, named in the answer's `basis`. */
  readonly changesState?: true
}

export interface RouteSpec extends Omit<WrittenRoute, 'status' | 'answer'> {
  readonly answer: z.ZodType | null
  /** The path names an id. */
  readonly params?: z.ZodType
  readonly status: 200 | 201 | 204
  /** Undefined for what only reads or is not audited. */
  readonly repeatable?: 'key' | 'naturally' | undefined
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Unparsed<S> = S extends z.ZodType ? z.input<S> : undefined
type Field<R, K extends string> = R extends Record<K, infer S> ? S : undefined

export interface Received<R> {
  readonly params: Parsed<Field<R, 'params'>>
  readonly query: Parsed<Field<R, 'query'>>
  readonly body: Parsed<Field<R, 'body'>>
}

type Sent<K extends string, T> = [T] extends [undefined] ? { readonly [P in K]?: undefined } : { readonly [P in K]: T }

/** A call leaves out parts that its route does not have. */
export type Call<R> = Sent<'params', Unparsed<Field<R, 'params'>>> &
  Sent<'query', Unparsed<Field<R, 'query'>>> &
  Sent<'body', Unparsed<Field<R, 'body'>>>

/** The type is undefined for 204. */
export type Answer<R> = Parsed<Field<R, 'answer'>>

export type Section = { readonly [N in EndpointName]?: WrittenRoute }
