import type * as z from 'zod'
import type { EndpointName } from './endpoints.ts'

/**
 * `owner`: the signed-in organizer of the event in the path (a stranger's event answers 404); `admin`: read from the
 * database per request.
 */
export type Access = 'anyone' | 'user' | 'owner' | 'admin'

/** As its noun writes it. Method and path are in `endpoints.ts`, under the same name. */
export interface WrittenRoute {
  readonly summary: string
  readonly access: Access
  /** Needed, beside those that any call may carry. */
  readonly header?: 'applicationToken'
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Bytes, where it may be longer than others. */
  readonly longestBody?: number
  /** Of the answer's JSON; left out for an answer without a body. */
  readonly answer?: z.ZodType
  /** Left out: 200, or 204 without a body. */
  readonly status?: 201
  /** An event stream, or one JSON line per entry. */
  readonly streams?: 'text/event-stream' | 'application/x-ndjson'
  /** Answers 404 where there are no plans. */
  readonly needsPlans?: true
  /** May be queued in the outbox and replayed; it is keyed. */
  readonly queueable?: true
  /** The Idempotency-Key is stored with its answer: any other change is the same twice as once. */
  readonly isKeyed?: true
  /** A change without a transaction and an audit line, which would tell who read what. */
  readonly isUnaudited?: true
  /** The change gives its document another state, named in the answer's `basis`. */
  readonly changesState?: true
}

export interface RouteSpec extends Omit<WrittenRoute, 'status' | 'answer'> {
  readonly answer: z.ZodType | null
  /** What the path names is an id. */
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

/** Without parts that a route does not have. */
export type Call<R> = Sent<'params', Unparsed<Field<R, 'params'>>> &
  Sent<'query', Unparsed<Field<R, 'query'>>> &
  Sent<'body', Unparsed<Field<R, 'body'>>>

/** Undefined for 204. */
export type Answer<R> = Parsed<Field<R, 'answer'>>

export type Section = { readonly [N in EndpointName]?: WrittenRoute }
