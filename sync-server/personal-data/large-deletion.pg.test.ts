import { beforeEach, expect, it } from 'vitest'
import { publishEverything } from '../app/nouns.ts'
import { findUserByEmail } from '../accounts/user-store.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { tablesHolding } from '../testing/tables-holding.ts'
import { deleteDueAccounts } from './delete-account.ts'

const stage = await setOrganizerStage()
let eventId = 0
let beacon = 0
const applicants = 1_100

/** Olivia's account is due, with more applicants than a lot has. */
beforeEach(async () => {
  const { db } = stage
  await deleteDueAccounts(db, new Date())
  eventId = (await stage.publish({ name: 'Canary Mixer' })).id
  beacon = await stage.applicant(eventId)
  await stage.decide(beacon, { status: 'approved' })
  await db.raw(
    `insert into applications (event_id, first_name, last_name, email, experience, expertise, why_beacon, networking_style, bio, terms_accepted_at, terms_version, status_token_hash)
     select event_id, first_name, last_name, n || email, experience, expertise, why_beacon, networking_style, bio, terms_accepted_at, terms_version, n || status_token_hash
     from applications, generate_series(2, ?) n where id = ?`,
    [applicants, beacon],
  )
  await db.transaction((trx) => publishEverything(trx))
  await db('mails').del()
  await db('users')
    .where({ id: stage.olivia.userId })
    .update({ deletesAt: new Date(0) })
})

/** Takes so many steps of the deletion, and then no more, as if the time of the turn were over. */
async function take(steps: number): Promise<void> {
  let taken = 0
  await deleteDueAccounts(stage.db, new Date(), () => taken++ < steps)
}
const applications = async () => await stage.db('applications').where({ eventId }).pluck('id')

it('nothing of a large account can be reached from the first step of its deletion on', async () => {
  await take(1)
  expect(await applications()).toHaveLength(applicants)
  expect(await findUserByEmail(stage.db, stage.olivia.email)).toBeUndefined()
  expect(await tablesHolding(stage.db, [stage.olivia.email])).toEqual(['mails'])
  expect((await stage.run('getEvent', { params: { id: eventId } })).status).toBe(404)
  expect((await stage.run('listBeacons', { params: { id: eventId } })).status).toBe(404)
  expect(await stage.db('sync_log').where({ scope: 'public', deleted: false })).toEqual([])
  expect((await stage.run('listEvents')).body).toEqual([])
  expect((await stage.apply(eventId, { email: 'late@example.com' })).status).toBe(404)
})

it('the deletion of a large account goes on where it stopped, and tells each applicant once', async () => {
  await take(2)
  expect(await applications()).toHaveLength(applicants - 500)
  await take(1)
  expect(await applications()).toHaveLength(applicants - 1_000)
  expect(await deleteDueAccounts(stage.db, new Date())).toBe(1)
  expect(await stage.db('users').where({ id: stage.olivia.userId })).toEqual([])
  expect(await stage.db('events').where({ id: eventId })).toEqual([])
  const told = await stage.db('mails').where({ kind: 'event-cancelled' }).pluck('toAddress')
  expect([told.length, new Set(told).size]).toEqual([applicants, applicants])
  expect(await stage.db('sync_log').where({ scope: `org:${stage.olivia.userId}`, deleted: false })).toEqual([])
})
