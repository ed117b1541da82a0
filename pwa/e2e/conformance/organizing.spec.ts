import { beaFields } from '../../sync/testing/people.ts'
import { busiestEvent, button, card, view } from '../applications/applicants.ts'
import { applyByCall } from '../client.ts'
import { expect, olivia, signIn, test, said } from '../journey.ts'

test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } })

test('the dashboard counts and leads to each event; an edit comes back', async ({ page, db }) => {
  const { eventId: id, name, pending, approved } = await busiestEvent(db)
  await signIn(page, olivia)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, olivia')
  await expect(page.getByRole('link', { name: 'Create New Event' })).toHaveAttribute('href', '/events/create')
  await expect(page.getByRole('region', { name: 'Unlimited' })).toContainText('Active')
  const own = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: `Manage Event: ${name}` }) })
  await expect(own).toContainText(`${approved.length} approved Beacons`)
  await expect(own).toContainText(`${pending.length} pending approvals`)
  const idle = await db('events')
    .where({ organizerId: 1 })
    .whereNotExists(db('applications').whereRaw("applications.event_id = events.id and status = 'pending'"))
    .first<{ name: string }>('name')
  const quiet = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: `Manage Event: ${idle.name}` }) })
  await expect(quiet).toContainText('approved')
  await expect(quiet).not.toContainText('pending')
  await expect(own.getByRole('link')).toHaveAttribute('href', `/events/manage/${id}`)
  const gone = await db('events')
    .where({ organizerId: 1 })
    .andWhere('endDate', '<', db.raw('current_date - 1'))
    .first('name')
  await expect(page.getByRole('link', { name: `Manage Event: ${gone.name}` })).toHaveCount(0)
  await page.getByRole('group', { name: 'Show events' }).getByRole('button', { name: /^Past/ }).click()
  await expect(page.getByRole('link', { name: `Manage Event: ${gone.name}` })).toBeVisible()

  await page.goto(`/events/edit/${id}`)
  const title = page.getByLabel('Event Name')
  await expect(title).toHaveValue(name)
  await expect(page.getByLabel('Registration URL')).toHaveAttribute('type', 'url')
  await expect(page.getByLabel('ZIP Code')).toHaveAttribute('maxlength', '5')
  await title.fill(`${name}, again`)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.waitForURL('**/dashboard')
  await expect(said(page, 'Event Updated')).toBeVisible()
  await expect.poll(async () => (await db('events').where({ id }).first('name'))?.name).toBe(`${name}, again`)
})

test('an event is managed: details, counts, applicants, a delete that asks', async ({ page, server, db }) => {
  const { eventId: id, name, pending, approved } = await busiestEvent(db)
  const [, ben] = pending
  const rejected = await db('applications').where({ eventId: id, status: 'rejected' })
  const written = await db('applications').where({ id: ben.id }).first()
  if (!written) throw new Error('Ben is gone')
  // Journeys share a database, and Bea has applied in another one.
  const fields = { ...beaFields, email: 'bea.managed@example.com' }
  const { id: beaId } = await applyByCall(server.origin, id, fields)
  const bea = { id: beaId, name: 'Bea Brook', email: fields.email, decisionNumber: 0 }
  await signIn(page, olivia)
  await page.goto(`/events/manage/${id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(/[A-Z][a-z]+ \d+.*, \d{4}/)
  await expect(card(page, bea)).toContainText('––')
  await expect(await view(page, bea)).toContainText('No phone provided')
  await page.keyboard.press('Escape')
  const applications = page.getByRole('region', { name: 'Beacon Applications' })
  for (const [status, people] of [
    ['Pending', [...pending, bea]],
    ['Approved', approved],
    ['Rejected', rejected],
  ] as const)
    await expect(applications).toContainText(new RegExp(`${status}\\s*${people.length}|${people.length}\\s*${status}`))
  await expect(page.getByText(/^(Custom emails configured|Default emails)$/)).toBeVisible()
  await expect(page.getByText(/^(\d+ custom questions?|Default questions only)/)).toBeVisible()
  const emails = page.getByRole('region', { name: 'Emails' })
  await emails.scrollIntoViewIfNeeded()
  await expect(emails).toContainText('This demo delivers no email.')

  const dialog = await view(page, ben)
  for (const text of ['email', 'experience', 'expertise', 'whyBeacon', 'networkingStyle', 'bio'] as const)
    await expect(dialog).toContainText(written[text])
  for (const term of ['Email', 'Phone', 'Experience', 'Expertise', 'Why Beacon', 'Networking Style', 'Bio'])
    await expect(dialog.getByText(term, { exact: true })).toBeVisible()
  if (written.linkedinUrl) await expect(dialog.getByRole('link', { name: /LinkedIn/ })).toBeVisible()
  await page.keyboard.press('Escape')

  for (const verb of ['Approve', 'Reject'] as const) await expect(button(page, ben, verb)).toBeEnabled()
  const revoke = card(page, approved[0]).getByRole('button', { name: `Revoke Approval ${approved[0].name}` })
  await expect(revoke).toBeEnabled()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Event' }).click()
  await page.waitForURL('**/dashboard')
  await expect.poll(() => db('events').where({ id })).toEqual([])
  expect(await db('applications').where({ eventId: id })).toEqual([])
  await page.goto(`/events/manage/${id}`)
  await expect(page.getByRole('heading', { name: 'Event Not Found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await page.waitForURL('**/dashboard')
})

test('questions are added with Enter and removed, Cancel leaves at once, Save after 1.5 s @nightly', async ({
  page,
  db,
}) => {
  const { eventId: id } = await busiestEvent(db)
  await signIn(page, olivia)
  await page.clock.install()
  await page.goto(`/events/${id}/customize`)
  await page.getByRole('tab', { name: 'Application Questions' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Application Questions' })
  await expect(panel.getByRole('list').first().getByRole('listitem')).toHaveCount(5)
  await expect(panel.getByLabel('Include default questions')).toBeChecked()
  const asked = panel.getByRole('button', { name: /^Remove question/ })
  const before = await asked.count()
  await panel.getByLabel('New question').fill('  Which days can you come?  ')
  await panel.getByLabel('New question').press('Enter')
  await expect(asked).toHaveCount(before + 1)
  await expect(panel.getByRole('button', { name: 'Remove question: Which days can you come?' })).toBeVisible()
  await panel.getByRole('button', { name: 'Remove question: Which days can you come?' }).click()
  await expect(asked).toHaveCount(before)

  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(`**/events/manage/${id}`)
  await page.clock.resume()

  await page.goto(`/events/${id}/customize`)
  await page.getByRole('tab', { name: 'Application Questions' }).click()
  await panel.getByLabel('Include default questions').uncheck()
  await page.clock.pauseAt(Date.now() + 7_200_000)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Saved' })).toBeVisible()
  await expect(panel.getByLabel('New question'), 'what is typed now would be lost').toBeDisabled()
  await page.clock.runFor(1_499)
  await expect(page).toHaveURL(/\/customize$/)
  await page.clock.runFor(1)
  await page.waitForURL(`**/events/manage/${id}`)
  await page.clock.resume()
  await expect.poll(async () => (await db('events').where({ id }).first())?.showDefaultQuestions).toBe(false)
})
