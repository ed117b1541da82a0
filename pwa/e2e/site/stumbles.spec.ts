import { busiestEvent, card, openManage } from '../applications/applicants.ts'
import { comeToDashboard, expect, holdBack, olivia, said, sharingTest as test, submitSignIn } from '../journey.ts'
import { paths } from '../../paths.ts'

test('what made its users stop does not come back', async ({ page, db }) => {
  const { eventId, pending, approved } = await busiestEvent(db)
  // From the first moment: a device fetches what it may show later.
  const answer = await holdBack(page, `**/api/events/${eventId}/beacons**`)

  await test.step('a refused sign-in is said where it was tried, and covers no heading', async () => {
    await page.goto(paths.auth)
    await submitSignIn(page, { ...olivia, password: 'not the password' })
    await expect.soft(page.getByRole('main').getByRole('alert')).toContainText('Login failed')
    const toast = await page.getByRole('listitem').filter({ hasText: 'Login failed' }).boundingBox()
    expect.soft(toast!.y).toBeGreaterThan(500)
  })

  await test.step('fields that a program has filled in without an event are read', async () => {
    const fill = (label: string, text: string) =>
      page
        .getByLabel(label, { exact: true })
        .first()
        .evaluate((field: HTMLInputElement, value) => (field.value = value), text)
    await page.goto(paths.auth)
    await fill('Email', olivia.email)
    await fill('Password', olivia.password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await comeToDashboard(page)
    await page.goto(paths.profile)
    await fill('Email address', olivia.email)
    await page.getByRole('button', { name: 'Send Test Email' }).click()
    await expect.soft(said(page, 'Email required')).toHaveCount(0)
    await expect.soft(said(page, 'Test email sent')).toBeVisible()
  })

  await test.step("the organizer's own page leads to Manage, and says nothing of Beacons before they are known", async () => {
    await page.goto(paths.event(eventId))
    await expect.soft(page.getByRole('main').getByRole('link', { name: 'Manage' })).toBeVisible()
    await expect.soft(page.getByRole('status').filter({ hasText: 'Loading Beacons' })).toBeVisible()
    await expect.soft(page.getByText('Approved ones are shown here')).toHaveCount(0)
    answer()
    await expect(page.getByRole('main')).toContainText(approved[0].name)
  })

  await test.step('a list of payments that broke does not ask for a connection', async () => {
    const json = { code: 'internal', message: 'It broke.', requestId: 'r', advice: 'Tell us this number: 3f9a1c07' }
    await page.route('**/api/billing-history', (route) =>
      route.fulfill({ status: 500, headers: { 'X-Beaconry': '1' }, json }),
    )
    await page.goto(paths.billingHistory)
    await expect.soft(page.getByText('The list of payments could not be loaded')).toBeVisible()
    await expect.soft(page.getByRole('main')).toContainText('Tell us this number: 3f9a1c07')
    await expect.soft(page.getByRole('main')).not.toContainText('connection')
    await page.goto(paths.manageSubscription)
    await expect.soft(page.getByText('does not renew automatically')).toBeVisible()
  })

  await test.step('days before the event no Beacon can be here today', async () => {
    await openManage(page, eventId, pending[0])
    await card(page, approved[0]).getByRole('button', { name: /^View/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(approved[0].email)
    await expect.soft(dialog.getByText('Here today')).toHaveCount(0)
  })

  await test.step('words are those of the people who read them', async () => {
    await page.goto(paths.sync)
    await expect.soft(page.getByRole('main')).toContainText('On this device')
    await expect.soft(page.getByRole('main')).not.toContainText('phone')
    await page.goto(paths.customizeEvent(eventId))
    await page.getByRole('tab', { name: /Questions/ }).click()
    await page.getByLabel('New question').fill('Which languages do you speak?')
    await page.getByRole('button', { name: 'Add Question' }).click()
    await page.getByRole('switch', { name: 'Required: Which languages do you speak?' }).check()
    await expect.soft(page.getByText('*')).toHaveCount(0)
  })
})
