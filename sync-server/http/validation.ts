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

/** Parses params, query and body by the route's schemas. Throws `invalid_input` naming every wrong field once. */
export function validate(spec: RouteSpec, input: RawInput): ValidInput {
  const issues: z.core.$ZodIssue[] = []
  const part = (schema: z.ZodType | undefined, value: unknown) => {
    const parsed = schema?.safeParse(value)
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
