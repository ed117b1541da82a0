import { marked, type MarkWish } from '#shared/applications/mark.ts'
import { applicationTarget, defineMutation, optional, textOrNull } from './mutation.ts'

export interface MarkApplication extends MarkWish {
  readonly applicationId: number
  readonly eventId: number
  readonly name: string
}

/** A note and a star depend on nothing and wait for no decision; "here today" and a post leave behind the approval it relies on. */
export const markApplication = defineMutation<MarkApplication>({
  name: 'mark-application',
  route: 'markApplication',
  shape: {
    applicationId: 'number',
    eventId: 'number',
    name: 'string',
    note: 'string?',
    forgetNote: 'string?',
    changesSeen: 'string?',
    starred: 'boolean?',
    present: optional((value) => value === null || typeof value === 'boolean'),
    day: 'string?',
    seenAt: 'instant?',
    post: optional(textOrNull),
    noteOver: (value) => value === undefined || value === null || typeof value === 'string',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ applicationId, present, post }) =>
    `${present === undefined && post === undefined ? 'marks' : 'application'}:${applicationId}`,
  send: ({ applicationId, note, noteOver, forgetNote, changesSeen, starred, present, day, seenAt, post }) => ({
    params: { beaconId: applicationId },
    body: { note, noteOver, forgetNote, changesSeen, starred, present, day, seenAt, post },
  }),
  fold({ applications, events }, wish) {
    const document = applications.get(String(wish.applicationId))
    if (!document) return
    const { otherNotes = [], publicChanges, ...rest } = document
    const { otherNotes: notes, ...marks } = marked({ ...rest, otherNotes, publicChanges }, wish, {
      ...phonesView,
      event: events.get(String(document.eventId)),
    })
    applications.set(document.key, {
      ...rest,
      ...marks,
      publicChanges: marks.publicChanges && publicChanges,
      otherNotes: notes.length > 0 ? [...notes] : undefined,
    })
  },
  target: ({ applicationId }) => applicationTarget(applicationId),
  written: ({ note }) => ({ 'Private note': note }),
  label({ name, note, forgetNote, changesSeen, starred, present, day, post }) {
    if (post !== undefined) return post ? `${name}: ${post}` : `No post for ${name}`
    if (changesSeen !== undefined) return `Agree to the changes of ${name}`
    if (forgetNote !== undefined) return `Remove another note about ${name}`
    if (present === false && day !== undefined) return `${name} did not come`
    if (present !== undefined) return present ? `${name} has arrived` : `${name} has not arrived`
    if (starred !== undefined) return starred ? `Star ${name}` : `Remove the star of ${name}`
    return note?.trim() ? `Note about ${name}` : `Remove the note about ${name}`
  },
})

/** The server fills in the time, and when and where the note before was written. */
const phonesView = { now: null, stoodSince: { at: null, device: null } }
