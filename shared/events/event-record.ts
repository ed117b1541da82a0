import { pick, type RecordFields, type Values } from '../record/record.ts'
import { usStates } from '../places/us-states.ts'
import { coverPalettes } from './cover-palettes.ts'
import { tooManyPlaceholders } from './template-placeholders.ts'

const anyone = 'anyone'
const organizer = 'organizer'

export const eventRecord = {
  name: { kind: 'text', required: true, max: 160, label: 'Event Name', audience: anyone },
  description: { kind: 'text', required: true, max: 8000, label: 'Description', audience: anyone },
  startDate: {
    kind: 'date',
    required: true,
    label: 'Start Date',
    audience: anyone,
    message: 'Start date is required',
  },
  endDate: { kind: 'date', required: true, label: 'End Date', audience: anyone, message: 'End date is required' },
  startTime: { kind: 'time', label: 'Start Time', audience: anyone },
  endTime: { kind: 'time', label: 'End Time', audience: anyone },
  location: { kind: 'text', required: true, max: 200, label: 'Venue', audience: anyone },
  address: { kind: 'text', required: true, max: 300, label: 'Address', audience: anyone },
  city: { kind: 'text', max: 100, label: 'City', audience: anyone },
  state: { kind: 'choice', of: usStates, label: 'State', audience: anyone, message: 'Please choose a state' },
  zipCode: { kind: 'zip', label: 'ZIP Code', audience: anyone },
  beaconIncentives: { kind: 'text', required: true, max: 4000, label: 'Beacon Incentives', audience: anyone },
  registrationUrl: {
    kind: 'url',
    label: 'Registration URL',
    audience: anyone,
    message: 'Please enter a web address, such as https://example.com/tickets',
  },
  beaconInstructions: { kind: 'text', max: 4000, label: 'Instructions for approved Beacons', audience: organizer },
  posts: { kind: 'text', max: 1500, label: 'Posts', audience: organizer },
  /** Null means that only the organizer and each Beacon read it. */
  postsFor: {
    kind: 'choice',
    of: ['guests'],
    label: 'Who sees the posts',
    audience: organizer,
    message: 'Please choose who sees them',
  },
  guestHint: { kind: 'text', max: 200, label: 'How guests recognize your Beacons', audience: anyone },
  promoCode: { kind: 'text', max: 80, label: 'Code for your Beacons', audience: organizer },
  applicationsCloseAt: { kind: 'wall-clock', label: 'Applications close at', audience: anyone },
  maxBeacons: { kind: 'count', max: 10_000, label: 'How many Beacons at most', audience: organizer },
  coverPalette: {
    kind: 'choice',
    of: coverPalettes,
    label: 'Cover colors',
    audience: anyone,
    message: 'Please choose one of the colors',
  },
  /** Null means everyone. Unlisted events are in no list, and only the organizer sees a hidden one. */
  visibility: {
    kind: 'choice',
    of: ['unlisted', 'hidden'],
    label: 'Who can see it',
    audience: organizer,
    message: 'Please choose who can see it',
  },
  /** This is the organizer's own switch; the public value also counts approvals. */
  applicationsClosed: { kind: 'flag', default: false, label: 'Applications are closed', audience: organizer },
} as const satisfies RecordFields
export type EventFields = Values<typeof eventRecord>

export const pickEventFields = (from: EventFields): EventFields => pick(eventRecord, from)

/** With its placeholders' values, one mail holds about this much. */
const longestTemplateBody = 4_000

export const customizationRecord = {
  customBeaconEmailSubject: {
    kind: 'text',
    max: 200,
    label: 'Subject',
    audience: organizer,
    complaint: tooManyPlaceholders,
  },
  customBeaconEmailBody: {
    kind: 'text',
    max: longestTemplateBody,
    label: 'Body',
    audience: organizer,
    complaint: tooManyPlaceholders,
  },
  customQuestions: {
    kind: 'texts',
    max: 30,
    label: 'Custom questions',
    audience: anyone,
    message: 'At most 30 questions',
  },
  showDefaultQuestions: { kind: 'flag', default: true, label: 'Default questions included', audience: anyone },
} as const satisfies RecordFields
export type CustomizationFields = Values<typeof customizationRecord>

export const pickCustomizationFields = (from: CustomizationFields): CustomizationFields =>
  pick(customizationRecord, from)
