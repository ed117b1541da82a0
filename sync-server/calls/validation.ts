import type * as z from 'zod'
import type { RouteSpec } from '#shared/contract/route.ts'
import { checkBounds } from './request-body.ts'
import { ProblemError } from './problems.ts'

export interface RawInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface ValidInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

// U+0000 and lone surrogates: PostgreSQL cannot hold them, and a user does not see them in pasted text.
// eslint-disable-next-line no-control-regex
const unstorable = /[\u0000\p{Surrogate}]/gu

/** Recursive: only for values within bounds. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(unstorable, '')
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, storable(inner)]))
}

/** Throws `invalid_input` for what is out of bounds, else naming wrong fields once each, as far as there is room. */
export function validate(spec: RouteSpec, input: RawInput): ValidInput {
  const { params, query, body } = input
  checkBounds([params, query, body])
  const issues: z.core.$ZodIssue[] = []
  const part = (schema: z.ZodType | undefined, value: unknown) => {
    const parsed = schema?.safeParse(value)
    if (parsed?.success === false) issues.push(...parsed.error.issues)
    return parsed?.data
  }
  const valid = {
    // As it came: what names a row is that name or none, and the audit keeps it as given.
    params: part(spec.params, params),
    query: part(spec.query, storable(query)),
    body: part(spec.body, storable(body)),
  }
  const [first] = issues
  if (!first) return valid
  const sentLength = JSON.stringify([params, query, body]).length
  throw new ProblemError('invalid_input', messageOf(first), { fields: fieldMessages(issues, sentLength) })
}

const mostNamed = 60
const mostUnknownNamed = 8
const longestMessage = 300
/** Characters: every field of the longest form, left empty. Longer input is answered at more length. */
const leastRoom = 1500

/** Field path → its first complaint. The answer stays a small multiple of the input's `sentLength` characters. */
function fieldMessages(issues: readonly z.core.$ZodIssue[], sentLength: number): Record<string, string> {
  const fields = new Map<string, string>()
  let room = leastRoom + 2 * sentLength
  const name = (path: readonly PropertyKey[], message: string) => {
    const field = path.map(String).join('.').slice(0, 100)
    if (fields.has(field) || fields.size >= mostNamed) return
    room -= field.length + message.length
    if (room >= 0) fields.set(field, message)
  }
  for (const issue of issues.slice(0, mostNamed)) {
    const message = messageOf(issue)
    if (issue.code !== 'unrecognized_keys') name(issue.path, message)
    else for (const key of issue.keys.slice(0, mostUnknownNamed)) name([...issue.path, key], message)
  }
  return Object.fromEntries(fields)
}

/** The library's list of unknown keys would repeat what was sent. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? 'Unrecognized key' : issue.message.slice(0, longestMessage)
}
