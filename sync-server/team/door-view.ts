import type { Application } from '#shared/applications/application-calls.ts'
import { applicationRecord } from '#shared/applications/application-record.ts'
import type { OrganizerEvent } from '#shared/events/event-calls.ts'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import { fieldsOf, type Field, type RecordFields } from '#shared/record/record.ts'

const shownOfApplications: ReadonlySet<string> = new Set(['firstName', 'lastName', 'company'])
const shownOfEvents: ReadonlySet<string> = new Set([
  'posts',
  'postsFor',
  'maxBeacons',
  'visibility',
  'applicationsClosed',
])

function blank({ kind, required, mayBeBlank, default: preset = false }: Field): unknown {
  if (kind === 'flag') return preset
  if (kind === 'texts' || kind === 'answers') return []
  return required || mayBeBlank ? '' : null
}

function shown(record: RecordFields, document: object, isShown: (name: string, field: Field) => boolean): object {
  const values = document as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    fieldsOf(record).map(([name, field]) => [name, isShown(name, field) ? values[name] : blank(field)]),
  )
}

/** The fields of these names that the document has. */
function only<D extends object, N extends keyof D>(document: D, names: readonly N[]): Pick<D, N> {
  return Object.fromEntries(names.flatMap((name) => (name in document ? [[name, document[name]]] : []))) as Pick<D, N>
}

/**
 * A helper at the door sees this of an approved Beacon, in the shape of an organizer's document: every other field is
 * empty. It is null for an applicant who is not approved.
 */
export function doorApplication(application: Application): Application | null {
  if (application.status !== 'approved') return null
  return {
    ...(shown(applicationRecord, application, (name) => shownOfApplications.has(name)) as Application),
    ...only(application, ['id', 'eventId', 'status', 'basis', 'decisionNumber', 'createdAt']),
    ...only(application, ['post', 'walkedIn', 'arrivedAt', 'presence', 'coming']),
    decidedAt: null,
    decidedOn: null,
    withdrawnAt: null,
    decisions: [],
    note: null,
    starred: false,
  }
}

/** A helper at the door sees of an event what the public reads, and the posts. */
export function doorEvent(event: OrganizerEvent): OrganizerEvent {
  const isShown = (name: string, { audience }: Field) => audience === 'anyone' || shownOfEvents.has(name)
  return {
    ...(shown(eventRecord, event, isShown) as OrganizerEvent),
    ...(shown(customizationRecord, event, isShown) as OrganizerEvent),
    ...only(event, ['id', 'organizerId', 'timeZone', 'latitude', 'longitude', 'coverHash', 'createdAt']),
    ...only(event, ['cancelledAt', 'takenDown', 'basis', 'edition', 'updatedAt']),
  }
}

/** Shows a document of an organizer's feed as the door sees it; it is null where the door does not. */
export function doorDocument(collection: 'events' | 'applications', document: object): object | null {
  return collection === 'events' ? doorEvent(document as OrganizerEvent) : doorApplication(document as Application)
}
