import type { ApplicationDocument, EventDocument } from '#shared/api/replication.ts'
import { fold, type FoldedReplica, type ReplicaDocuments } from '../../replica/fold.ts'
import type { Entry } from '../entry.ts'
import type { SimDevice } from './sim-device.ts'

export type Fold = (replica: ReplicaDocuments, entries: readonly Entry[]) => FoldedReplica

/** What one row says, reduced to what must not go back in time. */
interface Shown {
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
  let rows = new Map<string, Shown>()
  let gone = new Set<string>()
  let entriesBefore = new Map<number, Entry>()
  let acknowledged = new Set<string>()

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

  const isStopped = (entry: Entry) => entry.state === 'parked' || entry.state === 'blocked'

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
    return lanes
  }

  return {
    folded: current,
    forget() {
      rows = new Map()
      gone = new Set()
      acknowledged = new Set()
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
        if (entry.state === 'acknowledged') acknowledged.add(entry.key)
        else if (acknowledged.has(entry.key)) problems.push(`P7 ${device.name}: entry ${entry.seq} was sent and is ${entry.state} again`)
      }
      const shown = new Map<string, Shown>()
      const lanesOf = new Map<string, string[]>()
      for (const { event } of next.events.values()) {
        shown.set(`event ${event.key}`, { count: event.edition, text: `${event.name} ${event.customQuestions?.join() ?? ''}`, version: device.replica.events.get(event.key)?.version ?? 0 })
        lanesOf.set(`event ${event.key}`, [`event:${event.id}`])
      }
      for (const { application } of next.applications.values()) {
        shown.set(`application ${application.key}`, { count: application.decisionNumber, text: application.status, version: device.replica.applications.get(application.key)?.version ?? 0 })
        lanesOf.set(`application ${application.key}`, [`application:${application.id}`, `event:${application.eventId}`])
      }
      for (const [name, row] of shown) {
        const isFree = lanesOf.get(name)!.some((lane) => excused.has(lane))
        const before = rows.get(name)
        const isOther = before !== undefined && row.text !== before.text
        if (!isFree && isOther && row.count < before.count) problems.push(`P7 ${device.name}: ${name} went from ${before.count} to ${row.count}`)
        if (!isFree && isOther && row.count === before.count && row.version === before.version) {
          problems.push(`P7 ${device.name}: ${name} changed from ${before.text} to ${row.text} under one count`)
        }
        if (!isFree && !before && gone.has(name)) problems.push(`P7 ${device.name}: ${name} came back`)
        gone.delete(name)
      }
      for (const name of rows.keys()) if (!shown.has(name)) gone.add(name)
      rows = shown
      return problems
    },
  }
}
