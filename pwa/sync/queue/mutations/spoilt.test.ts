import { expect, it } from 'vitest'
import { isUpcoming } from '#shared/time/event-time.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import * as documents from '#shared/sync/replication-calls.ts'
import { fold } from '../../replica/fold.ts'
import { toEntry, type Row } from '../store/outbox-store.ts'
import { applicationDocument, eventDocument } from '../../testing/people.ts'
import { recordedEntries } from '../../testing/recorded-entries.ts'
import { findKnown, labelOf } from './mutations.ts'
import { applicationRows } from '../../testing/application-rows.ts'

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

/** Every kind of queued change, each with every wrong value in every place of its arguments, however deep. */
const spoiltEntries = () =>
  recordedEntries.flatMap(({ entry }) => {
    const row = entry as Row & { readonly seq: number }
    return placesIn(row.args).flatMap((place) =>
      wrongValues.map((wrong) => ({
        row: { ...row, args: withValue(row.args, place, wrong) },
        place: `${row.mutation} ${place.join('.')}`,
      })),
    )
  })

const day = new Date('2026-12-01T12:00:00Z')

/** What a screen does with a row; throws where it would stay white. */
function show(folded: ReturnType<typeof fold>): void {
  for (const { event } of folded.events.values()) {
    documents.eventDocument.parse(event)
    isUpcoming(event, day)
    formatEventDate(event)
  }
  for (const { application } of applicationRows(folded).values()) documents.applicationDocument.parse(application)
}

it('a queued change with one wrong value, however deep, is set aside or can be shown', () => {
  const spoilt = spoiltEntries()
  let setAside = 0
  for (const { row, place } of spoilt) {
    const entry = toEntry(row)
    if (entry.refusal?.problem.code === 'damaged') {
      setAside++
      continue
    }
    const target = findKnown(entry)!.mutation.target(entry.args)
    const id = Number(target?.key ?? 1)
    const replica = {
      events: target?.effect === 'create' ? [] : [eventDocument(id)],
      applications: [applicationDocument(id, id)],
      epoch: 'e',
      appliedVersion: 0,
    }
    expect(() => show(fold(replica, [entry])), place).not.toThrow()
    expect(labelOf(entry), place).not.toMatch(/undefined|\[object|NaN/)
  }
  expect(setAside).toBeGreaterThan(spoilt.length / 2)
})
