import { describe, expect, it } from 'vitest'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import type { Entry } from '../../sync/queue/entry.ts'
import { applicationDocument } from '../../sync/testing/people.ts'
import { queuedEntry } from '../../sync/testing/queued-entry.ts'
import type { ApplicationRow } from '../../sync/replica/fold.ts'
import {
  decisionSyncState,
  initialsOf,
  inOrder,
  isHere,
  isUndoable,
  possibleDecisions,
  search,
  shownStatus,
  workLine,
} from './shown-applicant.ts'

const ben = applicationDocument(7, 1, {
  firstName: 'Ben',
  lastName: 'Okafor',
  company: 'Harbor Capital',
  jobTitle: 'Associate',
  email: 'ben@example.com',
  bio: '',
  experience: '',
  expertise: '',
  whyBeacon: '',
  networkingStyle: '',
})

const entry: Entry = { ...queuedEntry('k', { args: {}, state: 'held' }), seq: 1 }

const row = (syncState: ApplicationRow['syncState'], changed: Partial<Entry> | null): ApplicationRow => ({
  application: ben,
  syncState,
  entry: changed === null ? null : { ...entry, ...changed },
  entries: changed === null ? [] : [{ ...entry, ...changed }],
})

describe('what can be decided about an applicant', () => {
  it.each([
    ['pending', ['rejected', 'approved']],
    ['approved', ['rejected']],
    ['rejected', ['approved']],
  ] as const)('%s offers %j, the likely one under the thumb', (status, decisions) => {
    expect(possibleDecisions({ status, withdrawnAt: null })).toEqual(decisions)
  })

  it('a withdrawn application can no longer be approved and is called withdrawn', () => {
    const withdrawn = { status: 'rejected', withdrawnAt: '2026-11-02T10:00:00Z' } as const
    expect(possibleDecisions(withdrawn)).toEqual([])
    expect(shownStatus(withdrawn)).toBe('withdrawn')
  })
})

it.each([
  ['while it is held', row('on-this-phone', { state: 'held' }), true],
  ['while it waits for a network and was never tried', row('on-this-phone', { state: 'queued' }), true],
  [
    'when it was tried in vain: the server is asked to forbid it',
    row('on-this-phone', { state: 'queued', attempts: 1 }),
    true,
  ],
  ['not twice', row('on-this-phone', { state: 'queued', attempts: 1, discarding: true }), false],
  ['not while it is on its way', row('on-this-phone', { state: 'sending', attempts: 1 }), false],
  ['not when the server has it', row('sent', { state: 'acknowledged', attempts: 1 }), false],
  ['not behind a refused change: it does not show', row('needs-attention', { state: 'blocked' }), false],
  ['not when nothing was decided', row('confirmed', null), false],
])('undo: %s', (_when, given, expected) => {
  expect(isUndoable(given)).toBe(expected)
})

describe('a note or a star on its way', () => {
  const note: Entry = { ...entry, seq: 2, lane: 'marks:7', mutation: 'mark-application', state: 'queued' }
  const rowWith = (...entries: Entry[]): ApplicationRow => ({
    application: ben,
    syncState: 'on-this-phone',
    entry: entries.at(-1) ?? null,
    entries,
  })

  it('is not a decision: there is nothing to undo and the status is confirmed', () => {
    expect(isUndoable(rowWith(note))).toBe(false)
    expect(decisionSyncState(rowWith(note))).toBe('confirmed')
  })

  it('does not hide the decision behind it', () => {
    expect(isUndoable(rowWith(entry, note))).toBe(true)
    expect(decisionSyncState(rowWith({ ...entry, state: 'parked' }, note))).toBe('needs-attention')
  })

  it('that was refused does not keep anybody from deciding', () => {
    expect(decisionSyncState(rowWith({ ...note, state: 'parked' }, { ...entry, seq: 3 }))).toBe('on-this-phone')
  })
})

const someone = (id: number, changes: Partial<ApplicationDocument>): ApplicationRow => ({
  ...row('confirmed', null),
  application: { ...ben, id, key: String(id), ...changes },
})
const on = (day: number) => ({ createdAt: `2026-11-${day}T09:00:00.000Z` })
const rows = [
  someone(2, { lastName: 'Abel', firstName: 'Ann', status: 'approved', ...on(24) }),
  someone(4, { lastName: 'ábel', firstName: 'Zoe', status: 'rejected', ...on(18) }),
  someone(3, { lastName: 'Byrne', firstName: 'Bo', starred: true, ...on(17) }),
  someone(1, { lastName: 'Zorn', firstName: 'Al', ...on(16) }),
]

it.each([
  ['waiting', [1, 3, 2, 4]],
  ['newest', [2, 4, 3, 1]],
  ['oldest', [1, 3, 4, 2]],
  ['name', [2, 4, 3, 1]],
  ['starred', [3, 2, 4, 1]],
] as const)('the order of a list: %s', (order, ids) => {
  expect(inOrder(rows, order).map(({ application }) => application.id)).toEqual(ids)
})

const zone = 'America/Los_Angeles'
const now = new Date('2026-12-02T05:00:00Z')
it.each([
  ['seen this evening, by the venue’s clock', 'approved', '2026-12-02T02:20:00Z', true],
  ['seen the day before', 'approved', '2026-12-01T07:00:00Z', false],
  ['approval revoked since', 'rejected', '2026-12-02T02:20:00Z', false],
  ['never seen', 'approved', null, false],
] as const)('here today: %s', (_when, status, arrivedAt, expected) => {
  expect(isHere({ status, arrivedAt }, zone, now)).toBe(expected)
})

it.each([
  ['', true],
  ['okafor', true],
  ['OKAFOR ben', true],
  ['harbor', true],
  ['ben@example', true],
  ['ben ruiz', false],
])('who is found: %j: %s', (text, expected) => {
  expect(search(text)(ben)).toBe(expected)
})

it('the work line holds whichever parts exist', () => {
  expect(workLine(ben)).toBe('Associate at Harbor Capital')
  expect(workLine({ jobTitle: null, company: 'Harbor Capital' })).toBe('Harbor Capital')
  expect(workLine({ jobTitle: 'Associate', company: null })).toBe('Associate')
  expect(workLine({ jobTitle: null, company: null })).toBeNull()
})

it('initials are the first letters of two names, also outside the basic alphabet', () => {
  expect(initialsOf({ firstName: 'Ana', lastName: 'ruiz' })).toBe('AR')
  expect(initialsOf({ firstName: '𝒜da', lastName: '' })).toBe('𝒜')
})
