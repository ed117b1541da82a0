import { describe, expect, it } from 'vitest'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import type { Entry } from '../../sync/queue/entry.ts'
import { applicationDocument } from '../../sync/testing/people.ts'
import { queuedEntry } from '../../sync/testing/queued-entry.ts'
import type { ApplicationRow } from '../../sync/replica/fold.ts'
import {
  beaconsLine,
  byFullName,
  comingLine,
  decisionSyncState,
  inOrder,
  isUndoable,
  nextToReview,
  possibleDecisions,
  search,
  shownStatus,
  workLine,
  type SortOrder,
} from './shown-applicant.ts'

const ben = applicationDocument(7, 1, {
  firstName: 'Ben',
  lastName: 'Okafor',
  company: 'Harbor Capital',
  jobTitle: 'Associate',
  email: 'ben@example.com',
})

const entry: Entry = { ...queuedEntry('k', { args: {}, state: 'held' }), seq: 1 }

const row = (syncState: ApplicationRow['syncState'], changed: Partial<Entry> | null): ApplicationRow => ({
  application: ben,
  syncState,
  entry: changed === null ? null : { ...entry, ...changed },
  entries: changed === null ? [] : [{ ...entry, ...changed }],
})

it('helpers at the door find people in the order of every other list of names', () => {
  const named = (firstName: string, lastName: string) => ({
    ...row('confirmed', null),
    application: { ...ben, firstName, lastName },
  })
  const rows = [
    named('O’Neil', 'Ash'),
    named('Zoe', 'Ash'),
    named('Oakley', 'Moss'),
    named('Łukasz', 'Moss'),
    named('Lydia', 'Ash'),
  ]
  expect(byFullName(rows).map(({ application }) => application.firstName)).toEqual([
    'Łukasz',
    'Lydia',
    'Oakley',
    'O’Neil',
    'Zoe',
  ])
})

describe('what can be decided about an applicant', () => {
  it.each([
    ['pending', ['rejected', 'approved']],
    ['approved', ['rejected']],
    ['rejected', ['approved']],
  ] as const)('%s offers %j, the likely one under the thumb', (status, decisions) => {
    expect(possibleDecisions({ status, withdrawnAt: null }, false)).toEqual(decisions)
  })

  it('a withdrawn application can no longer be approved and is called withdrawn', () => {
    const withdrawn = { status: 'rejected', withdrawnAt: '2026-11-02T10:00:00Z' } as const
    expect(possibleDecisions(withdrawn, false)).toEqual([])
    expect(shownStatus(withdrawn)).toBe('withdrawn')
  })

  it('an approval is not revoked after the event, unless guests read what was not agreed to', () => {
    const approved = { status: 'approved', withdrawnAt: null } as const
    expect(possibleDecisions(approved, true)).toEqual([])
    const publicChanges = { at: '2026-12-02T10:00:00Z', changes: [] }
    expect(possibleDecisions({ ...approved, publicChanges }, true)).toEqual(['rejected'])
    expect(possibleDecisions({ status: 'pending', withdrawnAt: null }, true)).toEqual(['rejected', 'approved'])
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

it('who is found: a name with accents, by its plain letters', () => {
  const { application } = someone(5, { firstName: 'José', lastName: 'Nguyễn O’Neil' })
  expect(search("jose nguyen o'neil")(application)).toBe(true)
})

it('the people of today’s events come first where the order is about waiting', () => {
  const there = (id: number, eventId: number) => someone(id, { eventId, status: 'pending' })
  const waiting = [there(6, 3), there(5, 1), there(4, 2), there(3, 1), there(2, 3), there(1, 2)]
  const ids = (order: SortOrder, leading: readonly number[]) =>
    inOrder(waiting, order, leading).map(({ application }) => application.id)
  expect(ids('waiting', [])).toEqual([1, 2, 3, 4, 5, 6])
  expect(ids('waiting', [3])).toEqual([2, 6, 1, 3, 4, 5])
  expect(ids('waiting', [3, 1])).toEqual([2, 6, 3, 5, 1, 4])
  expect(ids('event', [1])).toEqual([3, 5, 1, 4, 2, 6])
  expect(ids('newest', [3])).toEqual([6, 5, 4, 3, 2, 1])
})

describe('a review one by one', () => {
  const parked: ApplicationRow = { ...row('needs-attention', { state: 'parked' }), application: { ...ben, id: 2 } }
  const people = [someone(1, { status: 'approved' }), parked, someone(3, {}), someone(4, {}), someone(5, {})]
  const byId = new Map(people.map((one) => [one.application.id, one]))
  const ids = [...byId.keys()]

  it.each([
    ['begins with the first who waits and needs no attention', -1, 3],
    ['goes on to the next', 2, 4],
    ['comes back to those it passed', 4, 3],
  ])('%s', (_what, place, next) => {
    expect(nextToReview(ids, byId, place)).toBe(next)
  })

  it('ends with the last who waits', () => {
    expect(nextToReview([1, 2, 3], byId, 2)).toBeUndefined()
    expect(nextToReview([1], byId, -1)).toBeUndefined()
  })
})

it.each([
  [false, 'Will be there: 1 · No answer: 2 · Can’t come: 1'],
  [true, 'Said yes or came: 1 · No answer: 2 · Couldn’t come: 1'],
])('what approved Beacons said, after the event %j', (isOver, line) => {
  const approved = (coming?: boolean) => someone(9, { status: 'approved', ...(coming !== undefined && { coming }) })
  expect(comingLine([approved(true), approved(false), approved(), approved()], isOver)).toBe(line)
  expect(comingLine([approved()], isOver)).toBeUndefined()
})

it('a Beacon who is here counts as there, whatever they said or did not say', () => {
  const arrived = { status: 'approved', arrivedAt: '2099-03-02T00:10:00Z' } as const
  const rows = [someone(9, arrived), someone(10, { ...arrived, coming: false }), someone(11, { status: 'approved' })]
  expect(comingLine(rows, false)).toBe('Will be there: 2 · No answer: 1 · Can’t come: 0')
})

it.each([
  [false, '2 approved Beacons and 1 who can’t come'],
  [true, '2 approved Beacons and 1 who couldn’t come'],
])('a printed list counts the absent apart, after the event %j', (isOver, line) => {
  const approved = (changes: Partial<typeof ben>) => someone(9, { status: 'approved', ...changes })
  const rows = [approved({}), approved({ coming: false, arrivedAt: '2099-03-02T00:10:00Z' })]
  expect(beaconsLine([...rows, approved({ coming: false })], isOver)).toBe(line)
  expect(beaconsLine(rows.slice(0, 1), isOver)).toBe('1 approved Beacon')
})

it('the work line holds whichever parts exist', () => {
  expect(workLine(ben)).toBe('Associate at Harbor Capital')
  expect(workLine({ jobTitle: null, company: 'Harbor Capital' })).toBe('Harbor Capital')
  expect(workLine({ jobTitle: 'Associate', company: null })).toBe('Associate')
  expect(workLine({ jobTitle: null, company: null })).toBeNull()
})
