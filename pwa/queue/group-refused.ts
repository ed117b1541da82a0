import { describeEntry, type OutboxItem } from '../sync/index.ts'
import { goneReasonOf } from './change-content.ts'

export interface Refused {
  readonly item: OutboxItem
  /** These wait behind it. */
  readonly behind: readonly OutboxItem[]
}

/** Fewer changes are shown one by one. */
const minGroupSize = 4

/** It is null where a person has to choose between two states. */
function causeOf({ item: { entry, reason } }: Refused): string | null {
  const { eventId, isConflict } = describeEntry(entry)
  if (eventId === undefined || isConflict) return null
  return `${eventId}: ${goneReasonOf(entry) ?? reason}`
}

/** Puts changes of one event that were refused for the same reason together, each group where its first change is. */
export function groupRefused(parked: readonly Refused[]): readonly (readonly Refused[])[] {
  const groups = new Map<string, Refused[]>()
  for (const [index, one] of parked.entries()) {
    const cause = causeOf(one) ?? `alone ${index}`
    groups.set(cause, [...(groups.get(cause) ?? []), one])
  }
  return [...groups.values()].flatMap((group) => (group.length < minGroupSize ? group.map((one) => [one]) : [group]))
}
