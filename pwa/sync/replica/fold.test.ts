import { describe, expect, it } from 'vitest'
import { stateOf } from '#shared/record/basis.ts'
import type { Entry } from '../queue/entry.ts'
import { addWalkIn } from '../queue/mutations/add-walk-in.ts'
import { handInApplication } from '../queue/mutations/hand-in-application.ts'
import { markApplication } from '../queue/mutations/mark-application.ts'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { deleteEvent } from '../queue/mutations/delete-event.ts'
import { updateEvent } from '../queue/mutations/edit-event.ts'
import { createEvent } from '../queue/mutations/create-event.ts'
import type { Mutation } from '../queue/mutations/mutation.ts'
import { problem } from '../testing/model-server.ts'
import { applicationRows } from '../testing/application-rows.ts'
import { applicationDocument, beaFields, eventDocument, eventFields } from '../testing/people.ts'
import { approve as approval } from '../testing/queue-phone.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import { fold, type ReplicaDocuments } from './fold.ts'

let seq = 0

function entry<A>(mutation: Mutation<A>, args: A, changes: Partial<Entry> = {}): Entry {
  seq++
  const about = { lane: mutation.lane(args), mutation: mutation.name, args }
  return { ...queuedEntry(`k${seq}`, { ...about, ...changes }), seq }
}

const approve = (applicationId: number, changes: Partial<Entry> = {}) =>
  entry(decideApplication, approval(applicationId), changes)

const replica: ReplicaDocuments = {
  epoch: 'e1',
  appliedVersion: 10,
  events: [eventDocument(1), eventDocument(2, { name: 'Book Night' })],
  applications: [
    applicationDocument(7, 1),
    applicationDocument(8, 1),
    applicationDocument(9, 2, { status: 'approved', basis: 'h1', decisionNumber: 1 }),
  ],
}

const rowOf = (entries: readonly Entry[], of = replica, id = 7) => applicationRows(fold(of, entries)).get(id)

/** Application 7 as a screen shows it: where its change is, what it says and how often it was decided. */
function said(entries: readonly Entry[], of = replica) {
  const row = rowOf(entries, of)
  return [row?.syncState, row?.application.status, row?.application.decisionNumber]
}

describe('the folded replica', () => {
  it('shows a queued decision as made, on this device, and counts it', () => {
    const decision = approve(7)
    const view = fold(replica, [decision])
    expect(said([decision])).toEqual(['on-this-phone', 'approved', 1])
    expect(view.events.get(1)?.counts).toEqual({ pending: 1, approved: 1, rejected: 0 })
    expect(view.applications.get(1)?.map(({ syncState }) => syncState)).toEqual(['confirmed', 'on-this-phone'])
  })

  it("shows the server's state beside what was wanted when a decision was refused", () => {
    const refused = approve(7, { state: 'parked', refusal: { status: 409, problem: problem('conflict'), at: '' } })
    const entries = [refused, approve(7, { state: 'blocked' })]
    expect(said(entries)).toEqual(['needs-attention', 'pending', 0])
    expect(rowOf(entries)?.entry, "the reason is the refused one's").toBe(refused)
    expect(rowOf(entries)?.entries).toHaveLength(2)
    expect(fold(replica, entries).events.get(1)!.counts.pending).toBe(2)
  })

  it('counts nothing for an acknowledged decision that was made already', () => {
    const body = { ...replica.applications[2], version: 11, decisionNumber: 1 }
    const args = { applicationId: 9, eventId: 2, name: 'Bo Black', status: 'approved', from: 'rejected' } as const
    const already = entry(
      decideApplication,
      { ...args, basis: 'h1' },
      { state: 'acknowledged', attempts: 1, acknowledged: { version: 11, epoch: 'e1', body } },
    )
    expect(rowOf([already], replica, 9)?.application).toMatchObject({ status: 'approved', decisionNumber: 1 })
  })

  it('leaves out an acknowledged change that the replica shows, and keeps one it lacks', () => {
    const sent = (version: number, epoch = 'e1') =>
      approve(7, { state: 'acknowledged', acknowledged: { version, epoch, body: {} } })
    expect(said([sent(11)])).toEqual(['sent', 'approved', 1])
    expect(said([sent(10)])).toEqual(['confirmed', 'pending', 0])
    expect(rowOf([sent(10)])?.entry).toBeNull()
    expect(said([sent(9, 'e2')])).toEqual(['sent', 'approved', 1])
    const newer = {
      ...replica,
      appliedVersion: 0,
      applications: [applicationDocument(7, 1, { version: 12, status: 'rejected', basis: 'h2', decisionNumber: 2 })],
    }
    expect(said([sent(11)], newer)).toEqual(['confirmed', 'rejected', 2])
  })

  it('shows no change that the server has moved past, and still the one made on what is there', () => {
    const rejected = applicationDocument(7, 1, { version: 12, status: 'rejected', basis: 'h1', decisionNumber: 1 })
    const stale = approve(7)
    const newer = { ...replica, applications: [rejected] }
    expect(rowOf([stale], newer)).toMatchObject({ syncState: 'on-this-phone', entry: stale, application: rejected })
    expect(fold(newer, [stale]).events.get(1)!.counts).toEqual({ pending: 0, approved: 0, rejected: 1 })
    const restored = approve(7, { state: 'acknowledged', acknowledged: { version: 20, epoch: 'e0', body: {} } })
    expect(rowOf([restored], newer)).toMatchObject({ syncState: 'sent', application: rejected })
    const onTop = entry(decideApplication, { ...approval(7, 'h1'), from: 'rejected' })
    expect(said([stale, onTop], newer)).toEqual(['on-this-phone', 'approved', 2])
    const edit = entry(updateEvent, { id: 1, fields: { ...eventFields, name: 'Renamed' }, basis: null })
    const edited = { ...replica, events: [eventDocument(1, { name: 'Theirs', basis: 'h1', edition: 2 })] }
    expect(fold(edited, [edit]).events.get(1)).toMatchObject({
      syncState: 'on-this-phone',
      event: { name: 'Theirs', edition: 2 },
    })
  })

  it('brings no event back that was published and deleted here, between two collections', () => {
    const taken = (version: number) => ({
      state: 'acknowledged' as const,
      acknowledged: { version, epoch: 'e1', body: undefined },
    })
    const own = { id: 3, organizerId: 1, fields: eventFields, timeZone: 'UTC', createdAt: '2026-11-20T08:00:00.000Z' }
    const creation = entry(createEvent, own, taken(11))
    const deletion = entry(deleteEvent, { id: 3, name: 'Mine', basis: stateOf(creation.key) }, taken(12))
    expect([...fold(replica, [creation, deletion]).events.keys()]).toEqual([1, 2])
  })

  it('takes a deleted event with its applications away, and lists it among the loose changes', () => {
    const deletion = entry(deleteEvent, { id: 1, name: 'Founders Mixer', basis: null })
    const view = fold(replica, [deletion])
    expect([...view.events.keys()]).toEqual([2])
    expect([...applicationRows(view).keys()]).toEqual([9])
    expect(view.applications.get(1)).toEqual([])
    expect(view.loose).toEqual([deletion])
  })

  it('shows an event created and edited here; a refused creation is loose, with its edits', () => {
    const args = { id: 50, organizerId: 1, fields: eventFields, timeZone: 'UTC', createdAt: '2026-11-01T10:00:00.000Z' }
    const creation = entry(createEvent, args)
    const edit = { id: 50, fields: { ...eventFields, name: 'Renamed' }, basis: creation.key }
    const shown = fold(replica, [creation, entry(updateEvent, edit)])
    expect(shown.events.get(50)).toMatchObject({
      syncState: 'on-this-phone',
      event: { name: 'Renamed', edition: 2 },
      counts: { pending: 0 },
    })
    expect(shown.events.get(50)?.entries).toHaveLength(2)
    const refused = fold(replica, [
      entry(createEvent, args, { state: 'parked' }),
      entry(updateEvent, edit, { state: 'blocked' }),
    ])
    expect(refused.events.has(50)).toBe(false)
    expect(refused.loose).toHaveLength(2)
  })

  it('shows a walk-in before the server knows them, counted, in place, with later changes', () => {
    const wanda = { id: 10, eventId: 2, firstName: 'Wanda', lastName: '', company: null, email: '' }
    const walkIn = entry(addWalkIn, { ...wanda, seenAt: '2099-01-01T10:00:00.000Z' })
    const star = entry(markApplication, { applicationId: 10, eventId: 2, name: 'Wanda', starred: true })
    const view = fold(replica, [walkIn, star])
    expect(view.applications.get(2)?.map(({ application: { id } }) => id)).toEqual([10, 9])
    expect(view.events.get(2)?.counts).toEqual({ pending: 0, approved: 2, rejected: 0 })
    expect(rowOf([walkIn, star], replica, 10)?.application).toMatchObject({ walkedIn: true, starred: true })
    const refused = { ...walkIn, state: 'parked' as const }
    expect(fold(replica, [refused, star]).loose).toEqual([refused, star])
  })

  it('shows an application handed in here before the server has it, and the decision on it', () => {
    const application = { id: 10, eventId: 2, eventName: 'Founders Mixer', fields: beaFields }
    const scanned = { key: 'volunteers-key', deviceId: 'volunteers-phone', scannedAt: '2099-01-01T10:00:00.000Z' }
    const handIn = entry(handInApplication, { application, ...scanned })
    expect(rowOf([handIn], replica, 10)?.application).toMatchObject({ firstName: 'Bea', status: 'pending' })
    const decide = { applicationId: 10, eventId: 2, name: 'Bea', from: 'pending', basis: null } as const
    const decision = entry(decideApplication, { ...decide, status: 'approved' })
    expect(fold(replica, [handIn, decision]).events.get(2)?.counts).toMatchObject({ pending: 0, approved: 2 })
    const known = { ...applicationDocument(10, 2), firstName: 'Beatrix' }
    const arrived = { ...replica, applications: [...replica.applications, known] }
    expect(rowOf([handIn], arrived, 10)?.application.firstName).toBe('Beatrix')
  })

  it('lists the newest application first, also one made without a network that arrived last', () => {
    const made = (id: number, createdAt: string) => applicationDocument(id, 1, { createdAt })
    const applications = [
      made(4, '2026-11-18T09:00:00.000Z'),
      made(2, '2026-11-24T09:00:00.000Z'),
      made(5, '2026-11-18T09:00:00.000Z'),
    ]
    const rows = fold({ ...replica, applications }, []).applications.get(1)
    expect(rows?.map(({ application }) => application.id)).toEqual([2, 5, 4])
  })

  it('keeps the rows that nothing happened to, so that a list of thousands draws one row anew', () => {
    const before = fold(replica, [])
    const after = fold(replica, [approve(7)])
    expect(applicationRows(after).get(8)).toBe(applicationRows(before).get(8))
    expect(after.applications.get(2)).toBe(before.applications.get(2))
    expect(after.events.get(2)).toBe(before.events.get(2))
    expect(after.events.get(1)).not.toBe(before.events.get(1))
  })

  it('sorts and counts the applications of that event alone whose document changed', () => {
    const before = fold({ ...replica, applications: [...replica.applications] }, [])
    const applications = replica.applications.map((one) => (one.id === 7 ? { ...one, note: 'Tall' } : one))
    const after = fold({ ...replica, applications }, [])
    expect(after.applications.get(2)).toBe(before.applications.get(2))
    expect(after.applications.get(1)?.map(({ application }) => application.note)).toContain('Tall')
  })

  it('folds 500 decisions into 10,000 applications without walking them once per decision', () => {
    const applications = Array.from({ length: 10_000 }, (_, index) => applicationDocument(index + 1, 1 + (index % 20)))
    const entries = Array.from({ length: 500 }, (_, index) => approve(index + 1))
    let reads = 0
    const watched = applications.map((application) => ({
      ...application,
      get eventId() {
        reads++
        return application.eventId
      },
    }))
    const big = { ...replica, applications: watched }
    expect(fold(big, entries).events.get(1)!.counts).toEqual({ pending: 475, approved: 25, rejected: 0 })
    reads = 0
    fold(big, entries)
    expect(reads).toBeLessThan(5000)
  })
})
