import type * as z from 'zod'
import type { EndpointName } from './endpoints.ts'

/**
 * Who may call: `anyone`; `user` = signed in; `owner` = the signed-in organizer of the event named in the path
 * (a stranger's event answers 404, like a missing one); `admin` = the flag read from the database per request.
 */
export type Access = 'anyone' | 'user' | 'owner' | 'admin'

/** What a route accepts and answers. Method and path stand in `endpoints.ts`, under the same name. */
export interface RouteSpec {
  readonly summary: string
  readonly access: Access
  readonly params?: z.ZodType
  /** A header the call needs, beside those that any call may carry. */
  readonly header?: 'applicationToken'
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The schema of the answer's JSON; null when the answer has no body (204). */
  readonly answer: z.ZodType | null
  readonly status: 200 | 201 | 204
  /** The answer is not one JSON document: an event stream or one JSON line per entry. */
  readonly streams?: 'text/event-stream' | 'application/x-ndjson'
  /** May stand in the outbox and be replayed later. */
  readonly queueable?: true
  /**
   * How a repeated mutation stays one: `key` = the Idempotency-Key is stored with its answer;
   * `naturally` = doing it twice is the same as once.
   */
  readonly repeatable?: 'key' | 'naturally'
  /** A change after which the document it answers with is in another state, named in `basis`. */
  readonly changesState?: true
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Unparsed<S> = S extends z.ZodType ? z.input<S> : undefined
type Field<R, K extends string> = R extends Record<K, infer S> ? S : undefined

/** What a handler receives: every part validated and normalised. */
export interface Received<R> {
  readonly params: Parsed<Field<R, 'params'>>
  readonly query: Parsed<Field<R, 'query'>>
  readonly body: Parsed<Field<R, 'body'>>
}

type Sent<K extends string, T> = [T] extends [undefined] ? { readonly [P in K]?: undefined } : { readonly [P in K]: T }

/** What a caller sends. Parts that a route does not have are left out. */
export type Call<R> = Sent<'params', Unparsed<Field<R, 'params'>>> &
  Sent<'query', Unparsed<Field<R, 'query'>>> &
  Sent<'body', Unparsed<Field<R, 'body'>>>

/** What a route answers; undefined for 204. */
export type Answer<R> = R extends { readonly answer: infer S } ? (S extends z.ZodType ? z.output<S> : undefined) : never

/** A section of the table: some endpoints with what they accept and answer. */
export type Section = { readonly [N in EndpointName]?: RouteSpec }
