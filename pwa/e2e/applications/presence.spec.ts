import type { Knex } from 'knex'
import { expect, olivia, signIn, test } from '../journey.ts'
import {
  busiestEvent,
  card,
  expectConfirmed,
  expectKept,
  holdOn,
  openManage,
  view,
  type Applicant,
} from './applicants.ts'

/** Lets somebody have been a Beacon at another event of Olivia's, which is over. Before a device has fetched it. */
async function wasBeaconBefore(db: Knex, { email }: Applicant, eventId: number): Promise<void> {
  const past = await db('applications as a')
    .join('events as e', 'e.id', 'a.eventId')
    .where({ 'e.organizerId': 1, 'a.status': 'approved' })
    .whereNot({ 'e.id': eventId })
    .first('a.id', 'a.eventId')
  await holdOn(db, past.eventId, [-9, -9])
  await db('applications').where({ id: past.id }).update({ email })
  await db.raw(
    `update sync_log set body = (body::jsonb || ?::jsonb)::text where collection = 'applications' and doc_id = ?`,
    [JSON.stringify({ email }), String(past.id)],
  )
}

test('who came on which day and a corrected address are recorded offline, and stored once @nightly', async ({
  device,
  server,
  db,
}) => {
  const { eventId, approved } = await busiestEvent(db, 'approved')
  const [bea] = approved
  await holdOn(db, eventId, [-2, 2])
  await wasBeaconBefore(db, bea, eventId)
  const { page } = await device()
  await signIn(page, olivia)
  await openManage(page, eventId, bea)
  await server.kill()
  await page.reload()

  const here = card(page, bea).getByRole('button', { name: `Here today: ${bea.name}` })
  await here.click()
  await expect(here).toHaveAttribute('aria-pressed', 'true')
  await expectKept(page, bea)
  const dialog = await view(page, bea)
  await expect(dialog).toContainText('Beacon at 1 of your events')
  const firstDay = dialog.getByRole('button', { name: /^Did not come: / }).first()
  await firstDay.click()
  await expect(firstDay).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByRole('button', { name: `Correct the email address of ${bea.name}` }).click()
  await dialog.getByLabel('Email address').fill(approved[1].email)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText(/has applied for this event with this address/)).toBeVisible()
  await dialog.getByLabel('Email address').fill('bea.corrected@example.com')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByRole('link', { name: 'bea.corrected@example.com' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectKept(page, bea)
  await page.reload()
  await expect(here).toHaveAttribute('aria-pressed', 'true')

  await server.start()
  await expectConfirmed(page, bea)
  const row = await db('applications').where({ id: bea.id }).first('presence', 'arrivedAt', 'email')
  expect(row?.email).toBe('bea.corrected@example.com')
  const answers = Object.entries(row?.presence ?? {})
  expect(answers.map(([, at]) => at)).toEqual([null, row?.arrivedAt?.toISOString()])
  for (const [route, times] of [
    ['markApplication', 2],
    ['correctEmail', 1],
  ] as const)
    expect(await db('audit_log').where({ route, status: 200 })).toHaveLength(times)
})

test('from seven days after the event the answers are text @nightly', async ({ device, db }) => {
  const { eventId, approved } = await busiestEvent(db, 'approved')
  const [bea] = approved
  await holdOn(db, eventId, [-12, -10])
  const { page } = await device()
  await signIn(page, olivia)
  await openManage(page, eventId, bea)
  const dialog = await view(page, bea)
  await expect(dialog.getByText('Not recorded')).toHaveCount(3)
  await expect(dialog.getByRole('button', { name: /^Came/ })).toHaveCount(0)
})
