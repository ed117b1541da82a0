import { describe, expect, it } from 'vitest'
import type { Problem } from '#shared/contract/problem.ts'
import type { Entry } from '../sync/queue/entry.ts'
import { beaFields, eventFields } from '../sync/testing/people.ts'
import { approve } from '../sync/testing/queue-phone.ts'
import { queuedEntry } from '../sync/testing/queued-entry.ts'
import {
  newEventAddressOf,
  contentOf,
  copyText,
  differencesOf,
  editAddressOf,
  goneReasonOf,
  decisionConflictOf,
} from './change-content.ts'

const now = new Date('2026-11-21T10:45:00Z')

/** A change that the server refused. */
const refused = (mutation: string, args: object, problem: Pick<Problem, 'code' | 'message' | 'current'>): Entry => ({
  ...queuedEntry('k', { mutation, args, state: 'parked', attempts: 1, createdAt: '2026-11-21T10:29:00Z' }),
  seq: 4,
  refusal: { status: 409, at: '2026-11-21T10:40:00Z', problem: { ...problem, requestId: 'r' } },
})
const gone = { code: 'not_found', message: 'Gone.' } as const

const decision = (current: unknown, code: 'conflict' | 'not_found' = 'conflict'): Entry =>
  refused('decide-application', { ...approve(7), name: 'Bea Lindqvist' }, { code, message: 'No.', current })

const fields = { ...eventFields, endTime: null, city: null, state: null, zipCode: null }
const editArgs = { id: 12, fields, basis: null }
const edit = refused('update-event', editArgs, {
  code: 'conflict',
  message: 'Changed elsewhere.',
  current: { ...fields, location: 'Pier 70', edition: 2, id: 12 },
})

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
    expect(conflict?.sentence).toMatch(/^Bea Lindqvist was rejected on iPad at .+; this device approved them at .+\.$/)
  })

  it('says of an application that is pending once more what its applicant did', () => {
    const pending = decisionConflictOf(decision({ ...rejected, status: 'pending' }), now)
    expect(pending?.sentence).toMatch(/^Bea Lindqvist withdrew and applied again; this device approved them at .+\.$/)
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
      'Edit Founders Mixer',
      'Made 2026-11-21T10:29:00Z',
      'Refused: Changed elsewhere.',
      'Event Name: Founders Mixer',
      'Description: An evening for founders.',
      'Start Date: 2026-12-01',
      'End Date: 2026-12-01',
      'Start Time: 18:30',
      'Venue: Pier 27',
      'Address: 1 The Embarcadero',
      'Beacon Incentives: Free ticket',
      'Applications are closed: No',
    ])
  })
})

it('an edit of an event that was deleted meanwhile can become a new event', () => {
  const homeless = refused('update-event', editArgs, gone)
  expect(editAddressOf(homeless)).toBeNull()
  expect(newEventAddressOf(homeless)).toBe('/events/create?copy=4')
  expect(newEventAddressOf(edit)).toBeNull()
})

it('a refused application is corrected and sent again from its form, unless its event is gone', () => {
  const args = { id: 410100000002, eventId: 12, eventName: 'Pier Night', fields: beaFields }
  const invalid = refused('apply-as-beacon', args, { code: 'invalid_input', message: 'Too short.' })
  expect(editAddressOf(invalid)).toBe('/events/12/apply?resend=4')
  expect(editAddressOf(refused('apply-as-beacon', args, gone))).toBeNull()
})

const about = { applicationId: 7, eventId: 1, name: 'Bea Brook' }
it.each([
  ['a decision', 'decide-application', approve(7), []],
  [
    'a note',
    'mark-application',
    { ...about, note: 'Speaks Spanish' },
    [{ name: 'Private note', value: 'Speaks Spanish' }],
  ],
  ['an email', 'retry-mail', { ...about, mailId: 31 }, []],
])('%s whose event was deleted elsewhere says so, keeps its text and has no form', (_, mutation, args, text) => {
  const homeless = refused(mutation, args, gone)
  expect(goneReasonOf(homeless)).toMatch(/^This applicant’s event is no longer on the server/)
  expect([contentOf(homeless), editAddressOf(homeless)]).toEqual([text, null])
})

it('any other refusal speaks for itself', () => expect(goneReasonOf(decision({}))).toBeNull())

it('a change of a newer app is listed without being understood', () => {
  const unknown = refused('from-the-future', { secret: 1 }, gone)
  expect(contentOf(unknown)).toEqual([])
  expect(differencesOf(unknown)).toEqual([])
  expect(editAddressOf(unknown)).toBeNull()
})
