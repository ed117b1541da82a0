import type { ApplicationDocument, EventDocument } from '#shared/api/replication.ts'
import { fold, type FoldedReplica, type ReplicaDocuments } from '../../replica/fold.ts'
import type { Entry } from '../entry.ts'
import type { SimDevice } from './sim-device.ts'

export type Fold = (replica: ReplicaDocuments, entries: readonly Entry[]) => FoldedReplica

/** What one row says, reduced to what must not go back in time. */
interface Shown {
  readonly row: object
  readonly count: number
  readonly text: string
  /** The version of the server's own document underneath; 0 when there is none. */
  readonly version: number
}

/** One person's view of one device, looked at after every step. */
export interface Screen {
  look(isExcused: (seq: number) => boolean): string[]
  /** The copy was dropped: what is shown until it is complete again says nothing. */
  forget(): void
  folded(): FoldedReplica
}

/** Up to which version everything of the scope is in the replica, in both collections. */
export function appliedVersion(device: SimDevice): number {
  return Math.min(device.replica.heads.events, device.replica.heads.applications)
}

/** The epoch both collections stand in; undefined while one of them holds nothing. */
export function epochOf(device: SimDevice): string | undefined {
  const { events, applications } = device.replica.checkpoints
  return events?.epoch === applications?.epoch ? events?.epoch : undefined
}

export function screenOf(device: SimDevice, userId: number, foldWith: Fold = fold): Screen {
  let entriesSeen: readonly Entry[] | undefined
  let changesSeen = -1
  let view: FoldedReplica | undefined
  let rows = new Map<number, Shown>()
  let gone = new Set<number>()
  let entriesBefore = new Map<number, Entry>()
  let acknowledged = new Map<string, string | undefined>()

  const mine = () => device.disk.entries.filter((entry) => entry.userId === userId)
  const isStale = () => entriesSeen !== device.disk.entries || changesSeen !== device.replica.changes

  function current(): FoldedReplica {
    if (view && !isStale()) return view
    const { replica } = device
    view = foldWith(
      {
        events: [...replica.events.values()] as unknown as EventDocument[],
        applications: [...replica.applications.values()] as unknown as ApplicationDocument[],
        epoch: epochOf(device),
        appliedVersion: appliedVersion(device),
      },
      mine(),
    )
    return view
  }

  const isStopped = (entry: Entry) => entry.state === 'parked' || entry.state === 'blocked' || entry.discarding === true

  /** Lanes whose rows may go back, because a change in them was refused, taken back, altered or tried again. */
  function excusedLanes(entries: readonly Entry[], isExcused: (seq: number) => boolean): Set<string> {
    const lanes = new Set<string>()
    const now = new Map(entries.map((entry) => [entry.seq, entry]))
    for (const [seq, before] of entriesBefore) {
      const after = now.get(seq)
      if (!after) {
        if (before.state !== 'acknowledged' && isExcused(seq)) lanes.add(before.lane)
      } else if (isStopped(after) !== isStopped(before) || after.args !== before.args) lanes.add(before.lane)
    }
    // What was taken back and had happened all the same is shown again when the server says so, at any moment.
    for (const entry of entries) if (entry.discarding) lanes.add(entry.lane)
    return lanes
  }

  function compare(problems: string[], name: string, id: number, before: Shown | undefined, now: Shown, isFree: boolean): void {
    const wasGone = gone.delete(id)
    if (isFree) return
    if (!before) {
      if (wasGone) problems.push(`P7 ${device.name}: ${name} came back`)
      return
    }
    if (now.text === before.text) return
    if (now.count < before.count) problems.push(`P7 ${device.name}: ${name} went from ${before.count} to ${now.count}`)
    if (now.count === before.count && now.version === before.version) {
      problems.push(`P7 ${device.name}: ${name} changed from ${before.text} to ${now.text} under one count`)
    }
  }

  return {
    folded: current,
    forget() {
      rows = new Map()
      gone = new Set()
      acknowledged = new Map()
      view = undefined
      changesSeen = -1
    },
    look(isExcused) {
      if (!isStale()) return []
      const problems: string[] = []
      const entries = mine()
      const excused = excusedLanes(entries, isExcused)
      const next = current()
      entriesSeen = device.disk.entries
      changesSeen = device.replica.changes
      entriesBefore = new Map(entries.map((entry) => [entry.seq, entry]))
      for (const entry of entries) {
        if (entry.state === 'acknowledged') acknowledged.set(entry.key, entry.acknowledged?.epoch)
        else if (acknowledged.has(entry.key) && acknowledged.get(entry.key) === device.replica.epoch) problems.push(`P7 ${device.name}: entry ${entry.seq} was sent and is ${entry.state} again`)
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
        compare(problems, `event ${event.key}`, event.id, before, now, excused.has(`event:${event.id}`))
      }
      for (const row of next.applications.values()) {
        const { application } = row
        // Ids of the two collections do not meet: applications count downwards.
        const id = -application.id
        const before = rows.get(id)
        if (before?.row === row) {
          shown.set(id, before)
          continue
        }
        const now = { row, count: application.decisionNumber, text: application.status, version: applicationCopies.get(application.key)?.version ?? 0 }
        shown.set(id, now)
        const isFree = excused.size > 0 && (excused.has(`application:${application.id}`) || excused.has(`event:${application.eventId}`))
        compare(problems, `application ${application.key}`, id, before, now, isFree)
      }
      for (const id of rows.keys()) if (!shown.has(id)) gone.add(id)
      rows = shown
      return problems
    },
  }
}
