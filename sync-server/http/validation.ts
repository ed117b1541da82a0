import type * as z from 'zod'
import type { RouteSpec } from '#shared/api/route.ts'
import { ProblemError } from './problems.ts'

/** A call as it arrived, before its schemas have seen it. */
export interface RawInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** A call as its handler receives it; parts the route does not have are undefined. */
export interface ValidInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

// U+0000 and halves of characters: a database cannot hold them, and nobody sees them in what they have pasted.
// eslint-disable-next-line no-control-regex
const unstorable = /[\u0000\p{Surrogate}]/gu

/** A value without what no database can hold, however deep it stands. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(unstorable, '')
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, storable(inner)]))
}

/** Parses params, query and body by the route's schemas. Throws `invalid_input` naming every wrong field once. */
export function validate(spec: RouteSpec, input: RawInput): ValidInput {
  const issues: z.core.$ZodIssue[] = []
  const part = (schema: z.ZodType | undefined, value: unknown) => {
    const parsed = schema?.safeParse(storable(value))
    if (parsed?.success === false) issues.push(...parsed.error.issues)
    return parsed?.data
  }
  const params = part(spec.params, input.params)
  const query = part(spec.query, input.query)
  const body = part(spec.body, input.body)
  const [first] = issues
  if (first) throw new ProblemError('invalid_input', first.message, { fields: fieldMessages(issues) })
  return { params, query, body }
}

/** Field path → its first complaint. */
function fieldMessages(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const path = issue.path.map(String)
    const places =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key].join('.')) : [path.join('.')]
    for (const place of places) fields[place] ??= issue.message
  }
  return fields
}
