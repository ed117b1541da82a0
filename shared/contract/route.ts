import type * as z from 'zod'
import type { EndpointName } from './endpoints.ts'

/**
 * `owner`: the signed-in organizer of the event in the path (a stranger's event answers 404); `admin`: read from the
 * database per request.
 */
export type Access = 'anyone' | 'user' | 'owner' | 'admin'

/** Method and path are in `endpoints.ts`, under the same name. */
export interface RouteSpec {
  readonly summary: string
  readonly access: Access
  readonly params?: z.ZodType
  /** Needed, beside those that any call may carry. */
  readonly header?: 'applicationToken'
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Bytes, where it may be longer than others. */
  readonly longestBody?: number
  /** Of the answer's JSON; null without a body (204). */
  readonly answer: z.ZodType | null
  readonly status: 200 | 201 | 204
  /** An event stream, or one JSON line per entry. */
  readonly streams?: 'text/event-stream' | 'application/x-ndjson'
  /** Answers 404 where there are no plans. */
  readonly needsPlans?: true
  /** May be queued in the outbox and replayed. */
  readonly queueable?: true
  /** `key`: the Idempotency-Key is stored with its answer; `naturally`: twice is the same as once. */
  readonly repeatable?: 'key' | 'naturally'
  /** The change gives its document another state, named in the answer's `basis`. */
  readonly changesState?: true
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

/** Without parts that a route does not have. */
export type Call<R> = Sent<'params', Unparsed<Field<R, 'params'>>> &
  Sent<'query', Unparsed<Field<R, 'query'>>> &
  Sent<'body', Unparsed<Field<R, 'body'>>>

/** Undefined for 204. */
export type Answer<R> = R extends { readonly answer: infer S } ? (S extends z.ZodType ? z.output<S> : undefined) : never

export type Section = { readonly [N in EndpointName]?: RouteSpec }
