import type { Row } from '../queue/store/outbox-store.ts'
import { recordedEntries } from './recorded-entries.ts'

/** A queued change as a disk may give it back, and where its one wrong value is. */
export interface Spoilt {
  readonly row: Row & { readonly seq: number }
  readonly place: string
}

type Path = readonly (string | number)[]

function placesIn(value: unknown, at: Path = []): Path[] {
  const inside = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [...(at.length > 0 ? [at] : []), ...inside.flatMap(([name, part]) => placesIn(part, [...at, name]))]
}

function withValue(value: unknown, [name, ...rest]: Path, wrong: unknown): unknown {
  if (name === undefined) return wrong
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>
  copy[name] = withValue(copy[name], rest, wrong)
  return copy
}

const wrongValues = [
  undefined,
  null,
  {},
  [],
  [null],
  [{}],
  '',
  'x',
  'Mars/Olympus',
  '2026-02-30',
  -1,
  1.5,
  Number.NaN,
  true,
]

/**
 * Every kind of queued change, each with every wrong value in every place of its arguments, however deep.
 * @param args what stands in the arguments before they are spoilt, by name
 */
export function spoiltEntries(args: Readonly<Record<string, unknown>> = {}): Spoilt[] {
  return recordedEntries.flatMap(({ entry }) => {
    const row = entry as Spoilt['row']
    const before = Object.fromEntries(
      Object.entries(row.args as object).map(([name, value]) => [name, args[name] ?? (value as unknown)]),
    )
    return placesIn(before).flatMap((place) =>
      wrongValues.map((wrong) => ({
        row: { ...row, args: withValue(before, place, wrong) },
        place: `${row.mutation} ${place.join('.')}`,
      })),
    )
  })
}
