import { expect, it } from 'vitest'
import { headers } from '#shared/contract/request.ts'
import { addPayment } from '../testing/billing-rows.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { tablesHolding } from '../testing/tables-holding.ts'
import { setTestServer } from '../testing/test-server.ts'
import { deleteAccount } from './delete-account.ts'
import { exportAccount } from './export-account.ts'

const server = await setTestServer()
const { db } = server
const olivia = await server.addOrganizer('Olivia', { deviceName: 'Olivia’s phone' })
const acting = { [headers.organizer]: String(olivia.userId) }

const remove = async (userId: number) =>
  await db.transaction((trx) => deleteAccount(trx, userId, { now: new Date(), tellApplicants: false }))

/** A manager of Olivia's team decides about two people, and writes notes and a message. */
async function workAs(name: string) {
  const { id: eventId } = await olivia.ok('createEvent', { body: eventBody() })
  const member = await server.addMember(name, { deviceName: 'Pixel 8' })
  const { token } = await olivia.ok('inviteToTeam', { body: { role: 'manager' } })
  await member.ok('joinTeam', { body: { token } })
  const ids: number[] = []
  for (const status of ['approved', 'rejected'] as const) {
    const body = applicationBody({ email: `${status}@harbor.example` })
    const { id } = await server.client().ok('applyAsBeacon', { params: { eventId }, body })
    await member.ok('decideApplication', { params: { beaconId: id }, body: { status }, headers: acting })
    ids.push(id)
  }
  const [approved, rejected] = ids as [number, number]
  const mark = async (by: typeof member, beaconId: number, note: string) =>
    await by.ok('markApplication', { params: { beaconId }, body: { note, noteOver: null }, headers: acting })
  await mark(member, approved, 'Speaks Spanish')
  await mark(olivia, approved, 'Arrives late')
  await mark(member, rejected, 'Asked twice')
  await member.ok('sendMessage', {
    params: { id: eventId },
    body: { audience: 'approved', applicationIds: [approved], text: 'The doors open at six.' },
    headers: acting,
  })
  return { member, eventId, approved, rejected }
}

it('a deleted member’s decisions and notes stay the organizer’s, without a name', async () => {
  const { member, eventId, approved, rejected } = await workAs('Canaria')
  const before = await olivia.ok('pull', { query: { scope: 'org' } })
  expect(await tablesHolding(db, ['canaria'])).toEqual(
    expect.arrayContaining(['application_decisions', 'applications', 'messages', 'sync_log']),
  )
  await remove(member.userId)
  expect(await tablesHolding(db, ['canaria', 'Pixel 8'])).toEqual([])
  const { documents } = await olivia.ok('pull', { query: { scope: 'org', checkpoint: before.checkpoint } })
  const shown = (id: number) => documents.find(({ key }: { key: string }) => key === String(id))
  expect(shown(approved)).toMatchObject({
    note: 'Arrives late',
    otherNotes: [{ note: 'Speaks Spanish', device: null }],
    decisions: [{ to: 'approved', by: 'organizer', device: null }],
  })
  expect(shown(rejected)).toMatchObject({
    note: 'Asked twice',
    decisions: [{ to: 'rejected', by: 'organizer', device: null }],
  })
  expect((await olivia.ok('getAnalytics')).answers.answered).toBe(2)
  expect((await olivia.ok('listMessages', { params: { id: eventId } })).messages).toMatchObject([{ device: null }])
})

it('a deleted member who had paid by card is forgotten by other organizers, too', async () => {
  const { member, eventId } = await workAs('Zwitscher')
  await addPayment(db, member.userId, { providerReference: 'pi_1', amountCents: 14900 })
  expect((await remove(member.userId)).keptPayments).toBe(1)
  expect(await tablesHolding(db, ['zwitscher', 'Pixel 8'])).toEqual([])
  const people = await db('applications').where({ eventId }).select('noteBy', 'noteDevice').orderBy('id')
  expect(people.map(({ noteBy }) => noteBy)).not.toContain(member.userId)
})

it('a member’s copy has what they wrote for an organizer, and nothing of others', async () => {
  const { member, eventId, approved, rejected } = await workAs('Rita')
  const copy = (await exportAccount(db, member.userId)) as Record<string, readonly object[]>
  expect(copy['notes']).toMatchObject([
    { application_id: approved, event_id: eventId, note: 'Speaks Spanish', device: 'Pixel 8 (Rita)' },
    { application_id: rejected, event_id: eventId, note: 'Asked twice', device: 'Pixel 8 (Rita)' },
  ])
  expect(copy['notes']).toHaveLength(2)
  expect(copy['messages']).toMatchObject([{ body: 'The doors open at six.' }])
})
