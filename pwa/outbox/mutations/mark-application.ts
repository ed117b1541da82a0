import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { notesAfter, type NoteChange } from '#shared/applications/notes.ts'
import { hasShape } from './args-shape.ts'
import type { Mutation } from './mutation.ts'

/** One of the marks is given: what the organizer wrote, starred, saw, or put away. */
export interface MarkApplication extends NoteChange {
  readonly applicationId: number
  readonly eventId: number
  /** Names the application for ever; absent where the server did not say. */
  readonly origin?: string
  /** First and last name, for the label only. */
  readonly name: string
  /** The `at` of the changes of what guests read that the organizer agrees to. */
  readonly changesSeen?: string
  readonly starred?: boolean
  readonly present?: boolean
  /** When the Beacon was seen, with `present` (ISO). */
  readonly seenAt?: string
}

/**
 * The organizer's own marks. A note and a star depend on nothing, so they have a lane of their own and wait for no decision;
 * "here today" leaves behind the approval it relies on.
 */
export const markApplication: Mutation<MarkApplication> = {
  name: 'mark-application',
  argsVersion: 1,
  route: 'markApplication',
  holdMs: 0,
  accepts: (args) =>
    hasShape(args, {
      applicationId: 'number',
      eventId: 'number',
      name: 'string',
      note: 'string?',
      forgetNote: 'string?',
      changesSeen: 'string?',
      starred: 'boolean?',
      present: 'boolean?',
      seenAt: 'string?',
      origin: 'string?',
    }),
  eventOf: ({ eventId }) => eventId,
  lane: ({ applicationId, present }) => `${present === undefined ? 'marks' : 'application'}:${applicationId}`,
  send: ({ applicationId, note, noteOver, forgetNote, changesSeen, starred, present, seenAt, origin }) => ({
    params: { beaconId: applicationId },
    body: {
      ...(note === undefined ? {} : { note }),
      ...(noteOver === undefined ? {} : { noteOver }),
      ...(forgetNote === undefined ? {} : { forgetNote }),
      ...(changesSeen === undefined ? {} : { changesSeen }),
      ...(starred === undefined ? {} : { starred }),
      ...(present === undefined ? {} : { present }),
      ...(seenAt === undefined ? {} : { seenAt }),
      ...(origin === undefined ? {} : { origin }),
    },
  }),
  fold({ applications }, args) {
    const { applicationId, starred, present, seenAt, changesSeen } = args
    const key = String(applicationId)
    const document = applications.get(key)
    if (!document) return
    const { publicChanges, ...rest } = document
    applications.set(key, {
      ...rest,
      ...(publicChanges === undefined || publicChanges.at === changesSeen ? {} : { publicChanges }),
      ...notesOf(document, args),
      ...(starred === undefined ? {} : { starred }),
      ...(present === undefined ? {} : { arrivedAt: present ? (seenAt ?? null) : null }),
    })
  },
  target: ({ applicationId }) => ({ collection: 'applications', key: String(applicationId), effect: 'change' }),
  label({ name, note, forgetNote, changesSeen, starred, present }) {
    if (changesSeen !== undefined) return `Agree to the changes of ${name}`
    if (forgetNote !== undefined) return `Remove another note about ${name}`
    if (present !== undefined) return present ? `${name} is here today` : `${name} is not here`
    if (starred !== undefined) return starred ? `Star ${name}` : `Remove the star of ${name}`
    return note?.trim() ? `Note about ${name}` : `Remove the note about ${name}`
  },
  upcast: (args) => args as MarkApplication,
}

const unknownWriting = { at: null, device: null }

/** The notes as the server will have them. */
function notesOf(
  document: ApplicationDocument,
  change: MarkApplication,
): Pick<ApplicationDocument, 'note' | 'otherNotes'> {
  const { note, otherNotes } = notesAfter(
    { note: document.note, otherNotes: document.otherNotes ?? [] },
    change,
    unknownWriting,
  )
  return { note, otherNotes: otherNotes.length > 0 ? [...otherNotes] : undefined }
}
