import type { ReplicaState } from '../replica/view/replica-state.ts'

type Applications = ReplicaState['applications']
const newestOf = new WeakMap<Applications, ReadonlyMap<number, number>>()

/** The newest version among each event's applications; counted once per change of the replica. */
function newestByEvent(applications: Applications): ReadonlyMap<number, number> {
  const known = newestOf.get(applications)
  if (known) return known
  const newest = new Map<number, number>()
  for (const { eventId, version } of applications) newest.set(eventId, Math.max(newest.get(eventId) ?? 0, version))
  newestOf.set(applications, newest)
  return newest
}

/**
 * A number that grows when the replica brings something mails may follow from: a decision, a new application, a changed
 * event, a retry on another device.
 */
export function newsOf(
  { events, applications }: Pick<ReplicaState, 'events' | 'applications'>,
  eventId: number,
): number {
  const event = events.find(({ id }) => id === eventId)?.version ?? 0
  return Math.max(event, newestByEvent(applications).get(eventId) ?? 0)
}
