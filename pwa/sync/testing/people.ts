import type { Decision } from '#shared/applications/decide.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { CustomizationFields, EventFields } from '#shared/events/event.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import type { DecideApplication } from '../queue/mutations/decide-application.ts'

export const oliviaId = 1
export const ottoId = 2

/** Olivia's event form, filled in. */
export const eventFields: EventFields = {
  name: 'Founders Mixer',
  description: 'An evening for founders.',
  startDate: '2026-12-01',
  endDate: '2026-12-01',
  startTime: '18:30',
  endTime: '21:00',
  location: 'Pier 27',
  address: '1 The Embarcadero',
  city: 'San Francisco',
  state: 'California',
  zipCode: '94111',
  registrationUrl: null,
  beaconIncentives: 'Free ticket',
  beaconInstructions: null,
  posts: null,
  postsFor: null,
  visibility: null,
  guestHint: null,
  promoCode: null,
  applicationsCloseAt: null,
  maxBeacons: null,
  coverPalette: null,
  applicationsClosed: false,
}

export const customization: CustomizationFields = {
  customBeaconEmailSubject: 'Welcome',
  customBeaconEmailBody: null,
  customQuestions: ['Which languages do you speak?'],
  showDefaultQuestions: true,
}

/** What Bea sends. */
export const beaFields: ApplicationFields = {
  firstName: 'Bea',
  lastName: 'Brook',
  email: 'bea@example.com',
  phone: null,
  linkedinUrl: null,
  topics: null,
  company: null,
  jobTitle: null,
  experience: 'First time',
  expertise: 'Introductions',
  whyBeacon: 'I like people.',
  networkingStyle: 'Warm',
  bio: 'Bea knows everyone.',
  customAnswers: [],
}

/** What decides on an application as a device shows it. */
export const decisionOn = (
  { id, eventId, firstName, status: from, basis }: ApplicationDocument,
  status: Decision,
): DecideApplication => ({ applicationId: id, eventId, name: firstName, status, from, basis })

export function eventDocument(id: number, changes: Partial<EventDocument> = {}): EventDocument {
  return {
    ...eventFields,
    key: String(id),
    version: 1,
    id,
    organizerId: oliviaId,
    timeZone: 'America/Los_Angeles',
    latitude: null,
    longitude: null,
    customBeaconEmailSubject: null,
    customBeaconEmailBody: null,
    customQuestions: [],
    showDefaultQuestions: true,
    basis: null,
    edition: 1,
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-01T10:00:00.000Z',
    ...changes,
  }
}

export function applicationDocument(
  id: number,
  eventId: number,
  changes: Partial<ApplicationDocument> = {},
): ApplicationDocument {
  return {
    ...beaFields,
    key: String(id),
    version: 1,
    id,
    eventId,
    status: 'pending',
    basis: null,
    decisionNumber: 0,
    decidedAt: null,
    decidedOn: null,
    withdrawnAt: null,
    decisions: [],
    note: null,
    starred: false,
    arrivedAt: null,
    createdAt: '2026-11-02T10:00:00.000Z',
    ...changes,
  }
}
