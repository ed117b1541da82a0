import { describe, expect, it } from 'vitest'
import type { Entry } from '../sync/queue/entry.ts'
import { beaFields } from '../sync/testing/people.ts'
import {
  anewAddressOf,
  contentOf,
  copyText,
  differencesOf,
  editAddressOf,
  goneReasonOf,
  decisionConflictOf,
} from './change-content.ts'

const now = new Date('2026-11-21T10:45:00Z')
const base = {
  seq: 4,
  key: 'k',
  userId: 1,
  argsVersion: 1,
  createdAt: '2026-11-21T10:29:00Z',
  state: 'parked',
  attempts: 1,
  nextAt: 0,
} as const

const decision = (current: unknown, code: 'conflict' | 'not_found' = 'conflict'): Entry => ({
  ...base,
  lane: 'application:7',
  mutation: 'decide-application',
  args: {
    applicationId: 7,
    eventId: 1,
    name: 'Bea Lindqvist',
    status: 'approved',
    from: 'pending',
    basis: null,
  },
  refusal: {
    status: 409,
    at: '2026-11-21T10:40:00Z',
    problem: { code, message: 'Decided differently.', requestId: 'r', current },
  },
})

const fields = {
  name: 'Pier Night',
  description: 'Talk',
  startDate: '2031-05-09',
  endDate: '2031-05-09',
  startTime: '18:00',
  endTime: null,
  location: 'Pier 27',
  address: 'The Embarcadero',
  city: null,
  state: null,
  zipCode: null,
  registrationUrl: null,
  beaconIncentives: 'Dinner',
  beaconInstructions: null,
  promoCode: null,
  applicationsCloseAt: null,
  maxBeacons: null,
  applicationsClosed: false,
}
const edit: Entry = {
  ...base,
  lane: 'event:12',
  mutation: 'update-event',
  args: { id: 12, fields, basis: null },
  refusal: {
    status: 409,
    at: '2026-11-21T10:40:00Z',
    problem: {
      code: 'conflict',
      message: 'Changed elsewhere.',
      requestId: 'r',
      current: { ...fields, location: 'Pier 70', edition: 2, id: 12 },
    },
  },
}

describe('two phones that decided differently', () => {
  const rejected = {
    id: 7,
    status: 'rejected',
    decidedAt: '2026-11-21T10:31:00Z',
    decidedOn: 'iPad',
    somethingNew: true,
  }

  it('says who decided what, where and when', () => {
    const conflict = decisionConflictOf(decision(rejected), now)
    expect(conflict).toMatchObject({ mine: 'approved', theirs: 'rejected', name: 'Bea Lindqvist' })
    expect(conflict?.sentence).toMatch(/^You rejected Bea Lindqvist on iPad at .+; this device approved them at .+\.$/)
  })

  it('says another device where the other has no name', () => {
    expect(decisionConflictOf(decision({ ...rejected, decidedOn: null }), now)?.sentence).toContain('on another device')
  })

  it('is no conflict card when the server gave another reason, or no document', () => {
    expect(decisionConflictOf(decision(rejected, 'not_found'), now)).toBeNull()
    expect(decisionConflictOf(decision(undefined), now)).toBeNull()
  })
})

describe('an edit refused because the event changed elsewhere', () => {
  it('shows exactly the fields that differ, both ways', () => {
    expect(differencesOf(edit)).toEqual([{ name: 'Venue', mine: 'Pier 27', theirs: 'Pier 70' }])
  })

  it('can be edited and sent again from its form', () => {
    expect(editAddressOf(edit)).toBe('/events/edit/12?resend=4')
    expect(editAddressOf(decision({}))).toBeNull()
  })

  it('is copied with its reason and everything that was typed', () => {
    expect(copyText(edit).split('\n')).toEqual([
      'Edit Pier Night',
      'Made 2026-11-21T10:29:00Z',
      'Refused: Changed elsewhere.',
      'Event Name: Pier Night',
      'Description: Talk',
      'Start Date: 2031-05-09',
      'End Date: 2031-05-09',
      'Start Time: 18:00',
      'Venue: Pier 27',
      'Address: The Embarcadero',
      'Beacon Incentives: Dinner',
      'Applications are closed: No',
    ])
  })
})

it('an edit of an event that was deleted meanwhile can become a new event', () => {
  const gone: Entry = {
    ...edit,
    refusal: { status: 404, at: now.toISOString(), problem: { code: 'not_found', message: 'Gone.', requestId: 'r' } },
  }
  expect(editAddressOf(gone)).toBeNull()
  expect(anewAddressOf(gone)).toBe('/events/create?copy=4')
  expect(anewAddressOf(edit)).toBeNull()
})

describe('a refused application of a volunteer', () => {
  const application: Entry = {
    ...base,
    userId: null,
    lane: 'apply:12:ben@example.com',
    mutation: 'apply-as-beacon',
    args: {
      id: 410100000002,
      eventId: 12,
      eventName: 'Pier Night',
      fields: { ...beaFields, firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com' },
    },
    refusal: {
      status: 422,
      at: now.toISOString(),
      problem: { code: 'invalid_input', message: 'Too short.', requestId: 'r' },
    },
  }

  it('can be corrected and sent again from its form', () => {
    expect(editAddressOf(application)).toBe('/events/12/apply?resend=4')
  })

  it('has no form when its event is gone', () => {
    const problem = { code: 'not_found', message: 'Gone.', requestId: 'r' } as const
    expect(editAddressOf({ ...application, refusal: { status: 404, at: now.toISOString(), problem } })).toBeNull()
  })
})

it('a decision whose event was deleted elsewhere says so; any other refusal speaks for itself', () => {
  expect(goneReasonOf(decision(undefined, 'not_found'))).toContain(
    'This applicant’s event is not on the server any more',
  )
  expect(goneReasonOf(decision({}))).toBeNull()
})

it('a note whose event was deleted elsewhere says so and keeps its text', () => {
  const problem = { code: 'not_found', message: 'Gone.', requestId: 'r' } as const
  const note: Entry = {
    ...base,
    lane: 'marks:7',
    mutation: 'mark-application',
    args: { applicationId: 7, eventId: 1, name: 'Bea Brook', note: 'Speaks Spanish' },
    refusal: { status: 404, at: now.toISOString(), problem },
  }
  expect(goneReasonOf(note)).toContain('This applicant’s event is not on the server any more')
  expect(contentOf(note)).toEqual([{ name: 'Private note', value: 'Speaks Spanish' }])
})

it('a change of a newer app is listed without being understood', () => {
  const unknown: Entry = { ...base, lane: 'x', mutation: 'from-the-future', args: { secret: 1 } }
  expect(contentOf(unknown)).toEqual([])
  expect(differencesOf(unknown)).toEqual([])
  expect(editAddressOf(unknown)).toBeNull()
})
