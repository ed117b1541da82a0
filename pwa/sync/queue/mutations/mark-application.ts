import { marked, type MarkWish } from '#shared/applications/mark.ts'
import { applicationTarget, defineMutation } from './mutation.ts'

export interface MarkApplication extends MarkWish {
  readonly applicationId: number
  readonly eventId: number
  readonly name: string
}

/** A note and a star depend on nothing and wait for no decision; "here today" leaves behind the approval it relies on. */
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
    present: 'boolean?',
    seenAt: 'instant?',
    noteOver: (value) => value === undefined || value === null || typeof value === 'string',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ applicationId, present }) => `${present === undefined ? 'marks' : 'application'}:${applicationId}`,
  send: ({ applicationId, note, noteOver, forgetNote, changesSeen, starred, present, seenAt }) => ({
    params: { beaconId: applicationId },
    body: { note, noteOver, forgetNote, changesSeen, starred, present, seenAt },
  }),
  fold({ applications }, wish) {
    const document = applications.get(String(wish.applicationId))
    if (!document) return
    const { otherNotes = [], publicChanges, ...rest } = document
    const { otherNotes: notes, ...marks } = marked({ ...rest, otherNotes, publicChanges }, wish, phonesView)
    applications.set(document.key, {
      ...rest,
      ...marks,
      publicChanges: marks.publicChanges && publicChanges,
      otherNotes: notes.length > 0 ? [...notes] : undefined,
    })
  },
  target: ({ applicationId }) => applicationTarget(applicationId),
  written: ({ note }) => ({ 'Private note': note }),
  label({ name, note, forgetNote, changesSeen, starred, present }) {
    if (changesSeen !== undefined) return `Agree to the changes of ${name}`
    if (forgetNote !== undefined) return `Remove another note about ${name}`
    if (present !== undefined) return present ? `${name} is here today` : `${name} is not here`
    if (starred !== undefined) return starred ? `Star ${name}` : `Remove the star of ${name}`
    return note?.trim() ? `Note about ${name}` : `Remove the note about ${name}`
  },
})

/** The server fills in the time, and when and where the note before was written. */
const phonesView = { now: null, stoodSince: { at: null, device: null } }
