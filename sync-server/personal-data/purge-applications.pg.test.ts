import { describe, expect, it } from 'vitest'
import { publishEverything } from '../app/nouns.ts'
import { queueMails } from '../mail/mail-store.ts'
import { applicationBody, createRouteRig, eventBody } from '../testing/route-rig.ts'
import { tablesHolding } from '../testing/tables-holding.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { purgeApplications } from './purge-applications.ts'

/** Half past midnight on the 22nd in Tokyo, still the 21st in Chicago. */
const now = new Date('2026-11-21T15:30:00Z')
const canary = {
  firstName: 'Canaria',
  lastName: 'Zwitscher',
  email: 'canary@example.com',
  phone: '+1 555 0142',
  linkedinUrl: 'https://www.linkedin.com/in/canaria-zwitscher',
  company: 'Canary Wharf Ltd',
  jobTitle: 'Songwriter',
  whyBeacon: 'canary-why',
  bio: 'canary-bio',
}

const { db } = await setTestDatabase()
const rig = createRouteRig(db)
const olivia = await rig.addPerson('Olivia')
await rig.addSubscription(olivia, 3)

/** An event that ended on a day, with applications; answers their numbers. */
async function held(endDate: string, people: readonly Record<string, unknown>[], timeZone = 'America/Chicago') {
  const made = await rig.run('createEvent', { as: olivia, body: eventBody() })
  const ids: number[] = []
  for (const person of people) {
    const applied = await rig.run('applyAsBeacon', { params: { eventId: made.body.id }, body: applicationBody(person) })
    expect(applied.status, applied.text ?? '').toBe(201)
    ids.push(applied.body.id)
  }
  const settle = async () =>
    await db('events').where({ id: made.body.id }).update({ startDate: endDate, endDate, timeZone })
  return { eventId: made.body.id, ids, settle }
}

/** The tables in which anything of the canary can be read. */
const wherever = () => tablesHolding(db, ['canar', 'zwitscher', '555 0142'])
const applicationsOf = async (eventId: number) =>
  (await db('applications').where({ eventId }).orderBy('id')).map(({ id }) => id)

describe('applicants', () => {
  it('are forgotten everywhere 12 months after the event, and every audience is told', async () => {
    const old = await held('2025-11-20', [canary, { email: 'bo@example.com' }])
    const [approved, pending] = old.ids as [number, number]
    await rig.run('decideApplication', { as: olivia, params: { beaconId: approved }, body: { status: 'approved' } })
    await rig.run('markApplication', { as: olivia, params: { beaconId: approved }, body: { note: 'Canaria sings' } })
    await db.transaction((trx) =>
      queueMails(trx, [
        {
          kind: 'reminder',
          key: 'reminder:1',
          to: { name: 'Canaria Zwitscher', address: canary.email },
          eventId: old.eventId,
          applicationId: approved,
          payload: { name: canary.firstName },
        },
      ]),
    )
    await old.settle()
    expect(await wherever()).toEqual(expect.arrayContaining(['applications', 'mails', 'sync_log']))
    expect(await purgeApplications(db, now)).toBe(2)
    const gone = await db('sync_log')
      .where({ deleted: true })
      .orderBy(['scope', 'collection', 'docId'])
      .select('scope', 'collection', 'docId')
    expect(gone).toEqual([
      ...[approved, pending]
        .map(String)
        .sort()
        .map((docId) => ({ scope: `org:${olivia.userId}`, collection: 'applications', docId })),
      { scope: 'public', collection: 'beacons', docId: String(approved) },
      { scope: 'public', collection: 'events', docId: String(old.eventId) },
    ])
    expect(await db('events').where({ id: old.eventId }).first()).toBeDefined()
    expect(await wherever()).toEqual([])
  })

  it('are kept until the day after, by the event’s own calendar', async () => {
    const chicago = await held('2025-11-21', [{ email: 'a@example.com' }])
    const tokyo = await held('2025-11-21', [{ email: 'b@example.com' }], 'Asia/Tokyo')
    const later = await held('2026-11-20', [{ email: 'c@example.com' }])
    for (const { settle } of [chicago, tokyo, later]) await settle()
    expect(await purgeApplications(db, now)).toBe(1)
    expect(await applicationsOf(tokyo.eventId)).toEqual([])
    expect(await applicationsOf(chicago.eventId)).toEqual(chicago.ids)
    expect(await applicationsOf(later.eventId)).toEqual(later.ids)
    await db('applications').del()
  })

  it('of a big event go in batches, each told with versions of its own and without a gap', async () => {
    const big = await held('2025-01-01', [{ email: 'first@example.com' }])
    await db.raw(
      `insert into applications (event_id, first_name, last_name, email, experience, expertise, why_beacon, networking_style, bio, terms_accepted_at, terms_version, status_token_hash)
       select event_id, first_name, last_name, n || email, experience, expertise, why_beacon, networking_style, bio, terms_accepted_at, terms_version, n || status_token_hash
       from applications, generate_series(1, 449) n where event_id = ?`,
      [big.eventId],
    )
    await big.settle()
    await db.transaction((trx) => publishEverything(trx, now))
    const scope = `org:${olivia.userId}`
    const before = (await db('sync_scope').where({ scope }).first())!.version
    expect(await purgeApplications(db, now)).toBe(450)
    expect(await applicationsOf(big.eventId)).toEqual([])
    expect((await db('sync_scope').where({ scope }).first())!.version).toBe(before + 450)
    expect(await purgeApplications(db, now)).toBe(0)
  })

  it('of a walk-in that was added after the deletion go, too', async () => {
    const event = await held('2025-01-01', [{ email: 'a@example.com' }])
    await event.settle()
    expect(await purgeApplications(db, now)).toBe(1)
    const body = { firstName: 'Wally', lastName: 'Inn', seenAt: now.toISOString() }
    expect((await rig.run('addWalkIn', { as: olivia, params: { id: event.eventId }, body })).status).toBe(201)
    expect(await purgeApplications(db, now)).toBe(1)
  })

  it('of one event go once when two servers begin at the same time', async () => {
    const event = await held('2025-01-01', [{ email: 'a@example.com' }, { email: 'b@example.com' }])
    await event.settle()
    const removed = await Promise.all([1, 2, 3].map(() => purgeApplications(db, now)))
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(2)
  })
})
