import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { fold, type FoldedReplica, type ReplicaDocuments } from '../../replica/fold.ts'
import type { Entry } from '../../queue/entry.ts'
import { findKnown, targetOf } from '../../queue/mutations/mutations.ts'
import { applicationRows } from '../application-rows.ts'
import type { Fold, Screen, SimDevice } from './sim-stage.ts'

/** What one row says, reduced to what must not go back in time. */
interface Shown {
  readonly row: object
  readonly count: number
  readonly text: string
  /** The version of the server's own document underneath; 0 when there is none. */
  readonly version: number
}

/** Lanes, by what may be seen in them; see `excusedLanes`. */
interface Excuses {
  readonly back: Set<string>
  readonly again: ReadonlySet<string>
  /** Something is being taken back there that may have happened. */
  readonly givenUp: ReadonlySet<string>
}

/** Up to which version everything of the organizer's scope is in the replica. */
export const appliedVersion = (device: SimDevice): number => device.replica.head

/** Undefined while the replica holds nothing. */
export const epochOf = (device: SimDevice): string | undefined => device.replica.positions.org?.epoch

const nothing: readonly string[] = []

/** What the server's database says of its history. */
interface History {
  /** What was sent may be on its way again. */
  wentBack(): boolean
  /** Whether it still has what was acknowledged with this checkpoint. */
  contains(checkpoint: string): boolean
}

export function screenOf(device: SimDevice, userId: number, history: History, foldWith: Fold = fold): Screen {
  let entriesSeen: readonly Entry[] | undefined
  let changesSeen = -1
  let view: FoldedReplica | undefined
  let documents: ReplicaDocuments | undefined
  let documentsSeen = -1
  let rows = new Map<number, Shown>()
  /** Rows that went, with the version of the server's document then. */
  let gone = new Map<number, number>()
  let entriesBefore = new Map<number, Entry>()
  let acknowledged = new Map<string, string | undefined>()

  const mine = () => device.disk.entries.filter((entry) => entry.userId === userId)
  const isStale = () => entriesSeen !== device.disk.entries || changesSeen !== device.replica.changes

  function current(): FoldedReplica {
    if (view && !isStale()) return view
    const { replica } = device
    if (!documents || documentsSeen !== replica.changes) {
      documentsSeen = replica.changes
      documents = {
        events: [...replica.events.values()] as unknown as EventDocument[],
        applications: [...replica.applications.values()] as unknown as ApplicationDocument[],
        epoch: epochOf(device),
        appliedVersion: appliedVersion(device),
      }
    }
    view = foldWith(documents, mine())
    return view
  }

  const isStopped = (entry: Entry) => entry.state === 'parked' || entry.state === 'blocked' || entry.discarding === true

  /** Its late answer says that it had happened before what the document shows: what was made on it will be refused. */
  const isOvertaken = (entry: Entry) => {
    const target = targetOf(entry)
    const shown = target ? (device.replica[target.collection].get(target.key)?.version ?? 0) : 0
    return (entry.acknowledged?.version ?? shown) < shown
  }

  /**
   * Lanes in which something happened just now that people did not count on. `back`: a change was refused, taken back or
   * altered, so rows go back. `again`: what was refused or taken back stands again (tried once more, or it had happened).
   */
  function excusedLanes(entries: readonly Entry[], isExcused: (seq: number) => boolean): Excuses {
    const back = new Set<string>()
    const again = new Set<string>()
    const givenUp = new Set<string>()
    const now = new Map(entries.map((entry) => [entry.seq, entry]))
    // What is offered again may meet what left before the device knew that the server had gone back.
    for (const { again: offered, lane } of entries) if (offered) back.add(lane)
    // An acknowledgement of a history that is over covers nothing, which the next pull that names it will show.
    for (const { acknowledged: { checkpoint } = {}, lane } of entries)
      if (checkpoint !== undefined && !history.contains(checkpoint)) back.add(lane)
    // What is set aside as damaged stands in a lane of its own, and shows in the one of what it is about.
    const laneOfTarget = (entry: Entry) => {
      const known = findKnown(entry)
      return known ? known.mutation.lane(known.args) : entry.lane
    }
    for (const [seq, before] of entriesBefore) {
      const after = now.get(seq)
      if (!after) {
        if (before.state !== 'acknowledged' && isExcused(seq)) back.add(laneOfTarget(before))
        continue
      }
      if ((isStopped(after) && !isStopped(before)) || after.args !== before.args) back.add(laneOfTarget(before))
      else if (before.state !== 'acknowledged' && isOvertaken(after)) back.add(laneOfTarget(before))
      else if (isStopped(before) && !isStopped(after)) again.add(laneOfTarget(before))
      if (after.discarding) givenUp.add(laneOfTarget(after))
    }
    return { back, again, givenUp }
  }

  function compare(
    problems: string[],
    name: string,
    id: number,
    before: Shown | undefined,
    now: Shown,
    { back, again, givenUp }: Excuses,
    lane: string,
    eventLane: string,
  ): void {
    const goneAt = gone.get(id)
    gone.delete(id)
    if (!before) {
      // A deletion taken back or refused brings all of an event back; a creation given up too late comes with the server's word.
      // So does an edit of another device that a deletion has not seen: it will be refused.
      if (goneAt !== undefined && id > 0 && now.version > goneAt) back.add(eventLane)
      const mayComeBack =
        back.has(eventLane) || again.has(lane) || again.has(eventLane) || (givenUp.has(lane) && now.version > 0)
      if (goneAt !== undefined && !mayComeBack) problems.push(`P7 ${device.name}: ${name} came back`)
      return
    }
    if (now.text === before.text || back.has(lane)) return
    // Another device's word ends what was made without having seen it, also where both gave one count to different things. So
    // does what had happened all the same, after its person gave it up and did something else.
    if (now.version > before.version || again.has(lane)) return
    if (now.count < before.count) problems.push(`P7 ${device.name}: ${name} went from ${before.count} to ${now.count}`)
    if (now.count === before.count)
      problems.push(`P7 ${device.name}: ${name} changed from ${before.text} to ${now.text} under one count`)
  }

  return {
    folded: current,
    forget() {
      rows = new Map()
      gone = new Map()
      acknowledged = new Map()
      view = undefined
      documents = undefined
      changesSeen = -1
    },
    look(isExcused) {
      if (!isStale()) return nothing
      const problems: string[] = []
      const entries = mine()
      const excused = excusedLanes(entries, isExcused)
      const next = current()
      entriesSeen = device.disk.entries
      changesSeen = device.replica.changes
      entriesBefore = new Map(entries.map((entry) => [entry.seq, entry]))
      for (const entry of entries) {
        if (entry.state === 'acknowledged') acknowledged.set(entry.key, entry.acknowledged?.epoch)
        else if (
          acknowledged.has(entry.key) &&
          acknowledged.get(entry.key) === device.replica.epoch &&
          !history.wentBack()
        )
          problems.push(`P7 ${device.name}: entry ${entry.seq} was sent and is ${entry.state} again`)
      }
      const shown = new Map<number, Shown>()
      const { events: eventCopies, applications: applicationCopies } = device.replica
      for (const row of next.events.values()) {
        const { event } = row
        const before = rows.get(event.id)
        if (before?.row === row) {
          shown.set(event.id, before)
          continue
        }
        const text = `${event.name} ${event.customQuestions?.join() ?? ''}`
        const now = { row, count: event.edition, text, version: eventCopies.get(event.key)?.version ?? 0 }
        shown.set(event.id, now)
        const lane = `event:${event.id}`
        compare(problems, `event ${event.key}`, event.id, before, now, excused, lane, lane)
      }
      for (const row of applicationRows(next).values()) {
        const { application } = row
        // No screen shows those of an event that is not there.
        if (!next.events.has(application.eventId)) continue
        // Ids of the two collections do not meet: applications count downwards.
        const id = -application.id
        const before = rows.get(id)
        if (before?.row === row) {
          shown.set(id, before)
          continue
        }
        const now = {
          row,
          count: application.decisionNumber,
          text: application.status,
          version: applicationCopies.get(application.key)?.version ?? 0,
        }
        shown.set(id, now)
        compare(
          problems,
          `application ${application.key}`,
          id,
          before,
          now,
          excused,
          `application:${application.id}`,
          `event:${application.eventId}`,
        )
      }
      for (const [id, { version }] of rows) if (!shown.has(id)) gone.set(id, version)
      rows = shown
      return problems
    },
  }
}
