import type { Knex } from 'knex'
import type { Locator, Page } from 'playwright/test'
import { makeJobsDue, wakeWorkers } from '../../../sync-server/testing/jobs/queued-jobs.ts'
import {
  type Applicant,
  busiestEvent,
  decide,
  decideMany,
  expectStatus,
  openBusiest,
  openManage,
  view,
} from '../applications/applicants.ts'
import { expect, olivia, signIn, test as journey } from '../journey.ts'
import { test } from './mail-journey.ts'

/** The panel below the applicants, as somebody who looks for it sees it. */
async function emails(page: Page): Promise<Locator> {
  const panel = page.getByRole('region', { name: 'Emails' })
  await panel.scrollIntoViewIfNeeded()
  return panel
}
const mailTo = (panel: Locator, { name }: Applicant) =>
  panel
    .getByRole('list', { name: 'E-mails', exact: true })
    .getByRole('listitem')
    .filter({ hasText: `to ${name}` })

/** Time is not waited for: what is held becomes due. */
async function endHolds(db: Knex): Promise<void> {
  await db('mails').where({ state: 'held' }).update({ sendAt: db.fn.now() })
  await makeJobsDue(db, { kind: 'send-mail' })
  await wakeWorkers(db)
}
const stateOf = async (db: Knex, { id }: Applicant) =>
  (await db('mails').where({ applicationId: id, kind: 'decision' }).orderBy('id')).map(({ state }) => state)

test('mails of decisions are held, cancelled, sent or failed, and retried @nightly', async ({
  page,
  server,
  smtp,
  db,
}) => {
  const { eventId, pending } = await busiestEvent(db)
  const [ana, ben, cleo] = pending
  smtp.refused.set(ben.email, 550)
  await signIn(page, olivia)
  await openManage(page, eventId, ana)
  for (const applicant of [ana, ben, cleo]) await decide(page, applicant, 'Approve')
  const panel = await emails(page)
  for (const applicant of [ana, ben, cleo])
    await expect(mailTo(panel, applicant)).toContainText(
      /Approval to .*Leaves in \d+ s · Changing the decision stops it/,
    )
  await expect(panel.getByRole('list', { name: 'E-mails by state' })).toHaveText('3 held')
  const left = async () => Number(/in (\d+) s/.exec((await mailTo(panel, ana).textContent()) ?? '')?.[1])
  const before = await left()
  await expect.poll(left, { message: 'it counts down' }).toBeLessThan(before)

  const details = await view(page, ana)
  await expect(details.getByRole('list', { name: 'E-mails', exact: true })).toContainText(/Approval.*Leaves in \d+ s/)
  await details.getByRole('button', { name: 'Revoke Approval' }).click()
  await expect(details.getByRole('list', { name: 'E-mails', exact: true })).toContainText(
    /Rejection.*Leaves in \d+ s.*Approval.*Cancelled: the decision changed/,
  )
  await page.keyboard.press('Escape')
  expect(await stateOf(db, ana)).toEqual(['cancelled', 'held'])

  await endHolds(db)
  await expect.poll(() => stateOf(db, ben)).toEqual(['failed'])
  await expect.poll(() => stateOf(db, cleo)).toEqual(['sent'])
  await page.reload()
  await emails(page)
  await expect(mailTo(panel, cleo)).toContainText(/Sent \d+:\d\d [AP]M/)
  const bens = mailTo(panel, ben)
  await expect(bens).toContainText('Failed. The mail server says that this address takes no mail.')
  await expect(panel.getByRole('list', { name: 'E-mails by state' })).toContainText('1 failed')
  await expect(panel, 'the log names people, not addresses').not.toContainText(ben.email)

  await server.kill()
  await bens.getByRole('button', { name: `Retry: Approval to ${ben.name}` }).click()
  await expect(bens).toContainText('saved on this device · will be sent again')
  await expect(panel).toContainText(/As of \d+:\d\d [AP]M/)
  await expect(bens.getByRole('button')).toHaveCount(0)
  smtp.refused.delete(ben.email)
  await server.start()
  await expect(bens).toContainText(/Sent \d+:\d\d [AP]M/, { timeout: 60_000 })
  await expect(panel).not.toContainText('As of')
  const arrived = smtp.received.flatMap(({ to }) => to)
  expect(arrived.filter((address) => address === ben.email)).toHaveLength(1)
  expect(arrived.filter((address) => address === cleo.email)).toHaveLength(1)
})

journey('a demo says that it delivers no email; as many are written as were announced', async ({ device, db }) => {
  const { page, eventId, pending, approved } = await openBusiest(
    { device, db },
    { viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' },
  )
  const [ana, ben] = pending
  const [fay] = approved
  const panel = await emails(page)
  await expect(panel).toContainText('This demo delivers no email.')
  await expect(panel).toContainText('No e-mail yet.')

  const sheet = await decideMany(page, [ana, ben, fay], 'Reject')
  await expect(sheet).toContainText('3 e-mails leave')
  await sheet.getByLabel('Tell the applicants').uncheck()
  await expect(sheet).toContainText('1 e-mail leaves')
  await sheet.getByRole('button', { name: 'Reject 3' }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await emails(page)
  await expect(mailTo(panel, fay)).toContainText(/Approval withdrawn.*Leaves in \d+ s/)
  for (const applicant of [ana, ben]) await expectStatus(db, applicant, 'rejected')
  expect(await db('mails').where({ eventId }), 'as many as the sheet had said').toHaveLength(1)

  await endHolds(db)
  await expect.poll(() => stateOf(db, fay)).toEqual(['sent'])
  await page.reload()
  await emails(page)
  await expect(mailTo(panel, fay)).toContainText(/Written \d+:\d\d [AP]M, not delivered/)
})
