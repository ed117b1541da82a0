import { connectionStringOf } from '../../../sync-server/db/knex-config.ts'
import { layAside, putInPlace } from '../../../sync-server/testing/laid-aside-database.ts'
import {
  type Applicant,
  card,
  decide,
  endUndoWindow,
  expectConfirmed,
  expectStatus,
  openManage,
  manageBusiest,
} from '../applications/applicants.ts'
import { queueRows } from '../device-database.ts'
import { expect, olivia, signIn, type Journey } from '../journey.ts'
import { isBatch, isPull, isStream, report, since, test } from './road-journey.ts'

/** Somebody else decides, on a device that is not on this road. */
async function decideElsewhere({ device, db }: Pick<Journey, 'device' | 'db'>, eventId: number, applicant: Applicant) {
  const { page } = await device({ viewport: { width: 1280, height: 800 } })
  await signIn(page, olivia)
  await openManage(page, eventId, applicant)
  await decide(page, applicant, 'Reject')
  await endUndoWindow(page)
  await expectStatus(db, applicant, 'rejected')
  return page
}

test.describe('an organizer’s phone', () => {
  test('whose server went back brings back what it had settled @nightly', async ({
    phone,
    road,
    server,
    db,
    device,
  }) => {
    const { eventId, pending } = await manageBusiest(phone, db)
    const [ana, ben, cleo] = pending
    const url = connectionStringOf(db)
    await server.stop()
    await db.destroy()
    const aside = await layAside(url)
    db.initialize()
    await server.start()
    await decide(phone, ana, 'Approve')
    await endUndoWindow(phone)
    await expectConfirmed(phone, ana)
    await expect.poll(async () => (await queueRows(phone)).length).toBe(0)
    const origin = new URL(phone.url()).origin
    await phone.goto('about:blank')

    await server.stop()
    await db.destroy()
    await putInPlace(url, aside)
    db.initialize()
    // To PostgreSQL a copy of the files is the very database it was: nothing is noticed at the start.
    await db('sync_epoch').update({ databaseIdentity: null })
    await server.start()
    const tablet = await decideElsewhere({ device, db }, eventId, ben)
    await decide(tablet, cleo, 'Reject')
    await endUndoWindow(tablet)
    await expectStatus(db, cleo, 'rejected')
    expect((await db('applications').where({ id: ana.id }).first('status'))?.status).toBe('pending')

    const at = performance.now()
    await phone.goto(`${origin}/events/manage/${eventId}`)
    await expect(card(phone, ben)).toContainText('Rejected')
    await expect(card(phone, cleo)).toContainText('Rejected')
    await expect(phone.getByText('The server was brought back to an earlier state.')).toBeVisible()
    await expectStatus(db, ana, 'approved')
    await expect(card(phone, ana)).toContainText('Approved')
    await expect.poll(async () => (await queueRows(phone)).length).toBe(0)
    report('a snapshot brought back, calls until all is equal', since(road, at).length, 30)
    expect(await db('application_decisions').where({ applicationId: ana.id })).toHaveLength(1)
    // The mail may have left before: a person decides.
    expect(await db('mails').where({ applicationId: ana.id, kind: 'decision' }).select('state')).toEqual([
      { state: 'failed' },
    ])
  })

  test('passes over a document of a newer server and says so @nightly', async ({ phone, road, db, device }) => {
    const { eventId, pending } = await manageBusiest(phone, db)
    const [ana, ben] = pending
    // A status of tomorrow, in whatever comes of this applicant.
    const ofTomorrow = new RegExp(`("key":"${ana.id}"[^]*?"status":)"\\w+"`)
    road.treat((call) =>
      isStream(call) || (isPull(call) && call.url.includes('scope=org'))
        ? { rewrite: (text) => text.replace(ofTomorrow, '$1"on a waiting list"') }
        : 'pass',
    )
    await phone.reload()
    await expect(card(phone, ana)).toContainText('Pending')
    const tablet = await decideElsewhere({ device, db }, eventId, ana)
    await decide(tablet, ben, 'Reject')
    await expect(card(phone, ben)).toContainText('Rejected')
    await expect(card(phone, ana), 'as it could be read last').toContainText('Pending')
    await expect(phone.getByText('Some of your data was made by a newer version of Beaconry')).toBeVisible()
    const at = performance.now()
    await phone.waitForTimeout(20_000)
    report('an unreadable document, calls in 20 s of doing nothing', since(road, at).length, 2)
  })

  test('too old for the server says so, keeps everything and stops asking @nightly', async ({ phone, road, db }) => {
    const { pending } = await manageBusiest(phone, db)
    const [ana] = pending
    const tooOld = JSON.stringify({
      code: 'app_too_old',
      message: 'This app is too old. Please update it.',
      requestId: 'r',
    })
    road.treat(() => ({ status: 426, body: tooOld, isOurs: true }))
    const decidedAt = performance.now()
    await decide(phone, ana, 'Approve')
    await expect(phone.getByText('The server needs a newer version of this app.')).toBeVisible()
    // A decision leaves when its undo window is over; what the page hears then its worker need not hear again.
    await expect.poll(() => since(road, decidedAt, isBatch).length).toBeGreaterThan(0)
    await phone.waitForTimeout(3_000)
    report('an app that is too old, batches at first', since(road, decidedAt, isBatch).length, 1)
    const at = performance.now()
    await phone.waitForTimeout(20_000)
    report('an app that is too old, calls in 20 s of doing nothing', since(road, at).length, 2)
    await expect(card(phone, ana)).toContainText('saved on this device')
    road.treat(() => 'pass')
    await phone.reload()
    await expectStatus(db, ana, 'approved')
  })
})
