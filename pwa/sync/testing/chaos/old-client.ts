import { headers as wire } from '#shared/contract/request.ts'
import { recordedEntries } from '../recorded-entries.ts'

/** The arguments of a change as the first released app that knew it wrote them, by the mutation's name. */
const recorded = new Map<string, unknown>()
for (const { entry } of recordedEntries) {
  const { mutation, args } = entry as { mutation: string; args: unknown }
  // Only the oldest recording counts: later ones say more.
  if (!recorded.has(mutation)) recorded.set(mutation, args)
}

/**
 * Arguments as the first released app that knew the mutation would have written them: without the fields that came later, at
 * any depth. Throws when no released app ever wrote the mutation.
 */
export function asRecorded<A>(mutation: string, args: A): A {
  if (!recorded.has(mutation)) throw new Error(`No released app ever wrote ${mutation}`)
  return withFieldsOf(recorded.get(mutation), args) as A
}

function withFieldsOf(pattern: unknown, value: unknown): unknown {
  if (!isRecord(pattern) || !isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name in pattern)
      .map(([name, field]) => [name, withFieldsOf(pattern[name], field)]),
  )
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes away what the first released app did not send with its requests. */
export function withoutNewHeaders(sent: Headers): void {
  sent.delete(wire.appVersion)
}
