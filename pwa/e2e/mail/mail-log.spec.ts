import type { Knex } from 'knex'
import type { Locator, Page } from 'playwright/test'
import { makeJobsDue, wakeWorkers } from '../../../sync-server/testing/jobs/queued-jobs.ts'
import { type Applicant, busiestEvent, decide, openManage, view } from '../applications/applicants.ts'
import { expect, olivia, signIn } from '../journey.ts'
import { test } from './mail-journey.ts'

/** The panel below the applicants, as somebody who looks for it sees it. */
async function emails(page: Page): Promise<Locator> {
  const panel = page.getByRole('region', { name: 'Emails' })
  await panel.scrollIntoViewIfNeeded()
  return panel
}
const mailTo = (panel: Locator, { name }: Applicant) =>
  panel
    .getByRole('list', { name: 'Emails', exact: true })
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
  await expect(panel.getByRole('list', { name: 'Emails by state' })).toHaveText('3 held')
  const left = async () => Number(/in (\d+) s/.exec((await mailTo(panel, ana).textContent()) ?? '')?.[1])
  const before = await left()
  await expect.poll(left, { message: 'it counts down' }).toBeLessThan(before)

  const details = await view(page, ana)
  await expect(details.getByRole('list', { name: 'Emails', exact: true })).toContainText(/Approval.*Leaves in \d+ s/)
  await details.getByRole('button', { name: 'Revoke Approval' }).click()
  await expect(details.getByRole('list', { name: 'Emails', exact: true })).toContainText(
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
  await expect(panel.getByRole('list', { name: 'Emails by state' })).toContainText('1 failed')
  await expect(panel, 'the log names people, not addresses').not.toContainText(ben.email)

  await server.kill()
  await bens.getByRole('button', { name: `Retry: Approval to ${ben.name}` }).click()
  await expect(bens).toContainText('saved on this device · will be sent again')
  await expect(panel).toContainText(/As of \d+:\d\d [AP]M/)
  await expect(bens.getByRole('button')).toHaveCount(0)
  smtp.refused.delete(ben.email)
  await server.start()
  await expect(bens).toContainText(/Sent \d+:\d\d [AP]M/)
  await expect(panel).not.toContainText('As of')
  const arrived = smtp.received.flatMap(({ to }) => to)
  expect(arrived.filter((address) => address === ben.email)).toHaveLength(1)
  expect(arrived.filter((address) => address === cleo.email)).toHaveLength(1)
})
