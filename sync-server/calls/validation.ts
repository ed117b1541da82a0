import type * as z from 'zod'
import { routes } from '#shared/api/routes.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { isJsonText, type DocumentRouteName } from './handler.ts'
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

// PostgreSQL cannot hold U+0000 and lone surrogates.
// eslint-disable-next-line no-control-regex
const unstorable = /[\u0000\p{Surrogate}]/gu

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(unstorable, '')
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, storable(inner)]))
}

/** Throws `invalid_input`, which names wrong fields as far as there is room. */
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
    params: part(spec.params, params),
    query: part(spec.query, storable(query)),
    body: part(spec.body, storable(body)),
  }
  const [first] = issues
  if (!first) return valid
  const sentLength = JSON.stringify([params, query, body]).length
  throw new ProblemError('invalid_input', messageOf(first), { fields: fieldMessages(issues, sentLength) })
}

const maxNamed = 60
const maxUnknownNamed = 8
const longestMessage = 300
/** This many characters have room for every field of the longest form, left empty. */
const minRoom = 1500

/** Keeps each field's first complaint. The answer stays a small multiple of what was sent. */
function fieldMessages(issues: readonly z.core.$ZodIssue[], sentLength: number): Record<string, string> {
  const fields = new Map<string, string>()
  let room = minRoom + 2 * sentLength
  const name = (path: readonly PropertyKey[], message: string) => {
    const field = path.map(String).join('.').slice(0, 100)
    if (fields.has(field) || fields.size >= maxNamed) return
    room -= field.length + message.length
    if (room >= 0) fields.set(field, message)
  }
  for (const issue of issues.slice(0, maxNamed)) {
    const message = messageOf(issue)
    if (issue.code !== 'unrecognized_keys') name(issue.path, message)
    else for (const key of issue.keys.slice(0, maxUnknownNamed)) name([...issue.path, key], message)
  }
  return Object.fromEntries(fields)
}

/** The library's list of unknown keys would repeat what was sent. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? 'Unrecognized key' : issue.message.slice(0, longestMessage)
}

/** Throws when the answer is not what the table promises, so that nothing leaks out. */
export function answerText(name: DocumentRouteName, answer: unknown): string | null {
  const spec: RouteSpec = routes[name]
  if (spec.answer === null) return null
  if (isJsonText(answer)) return answer.jsonText
  const parsed = spec.answer.safeParse(answer)
  if (parsed.success) return JSON.stringify(parsed.data)
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`)
  throw new Error(`The answer of ${name} is not what the table promises: ${issues.join(', ')}`)
}
