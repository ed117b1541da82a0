import { busiestEvent } from '../applications/applicants.ts'
import { letTypingTimePass, goToQuestions } from '../applications/application-form.ts'
import { expect, olivia, signIn, test } from '../journey.ts'
import { letPhoneFillUp } from './full-phone.ts'

const notice = 'Your browser has cleared what Beaconry kept on this device.'

test('a phone whose storage was thrown away says so once, in plain words @nightly', async ({
  context,
  page,
  server,
}) => {
  await signIn(page, olivia)
  await page.goto('about:blank')
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: server.origin, storageTypes: 'indexeddb' })
  await page.goto('/events')
  await expect(page.getByText(notice)).toBeVisible()
  await page.reload()
  await expect(page.getByText(notice), 'until it was read').toBeVisible()
  await page.getByRole('button', { name: 'Understood' }).click()
  await expect(page.getByText(notice)).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('link', { name: /Manage Event/ }).first(), 'what the server has came back').toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: /Manage Event/ }).first()).toBeVisible()
  await expect(page.getByText(notice)).toBeHidden()
})

test('without room an application stays in its form; refused, it is corrected', async ({ page, db }) => {
  const { eventId: id, pending } = await busiestEvent(db)
  const [already] = pending
  await letPhoneFillUp(page)
  await page.goto(`/events/${id}/apply`)
  await page.evaluate(() => sessionStorage.setItem('full', '1'))
  await goToQuestions(page)
  await page.getByRole('button', { name: 'Back to Personal Information' }).click()
  await page.getByLabel('Email').fill(already.email)
  await page.getByRole('button', { name: 'Continue' }).click()
  for (const choice of await page.getByRole('radio').all()) await choice.check({ force: true })
  for (const box of await page.locator('textarea').all()) await box.fill('Because I like people and know many of them.')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByText('Application Failed').first()).toBeVisible()
  await expect(page.getByText(/This device has no room left/).first()).toBeVisible()
  await expect(page.locator('textarea').first()).toHaveValue(/^Because I like people/)

  await page.evaluate(() => sessionStorage.removeItem('full'))
  await letTypingTimePass(page)
  await page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(
    page.getByText(/we already have your application/).first(),
    'with room it reaches the server',
  ).toBeVisible()

  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('First name'), 'nothing is lost').toHaveValue('Ben')

  // What the server refused is corrected from the list of what needs attention.
  await page.getByRole('link', { name: /needs attention/ }).click()
  await page.getByRole('link', { name: /^Edit and Resend: Ben Ode/ }).click()
  await page.waitForURL(/\/apply\?resend=\d+$/)
  await expect(page.getByLabel('First name')).toHaveValue('Ben')
  await page.getByLabel('First name').fill('Benjamin')
  await page.getByLabel('Email').fill('benjamin.ode@example.com')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Send Again' }).click()
  await expect(page.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
  await expect(page).toHaveURL(/\/apply$/)
  await expect(page.getByRole('link', { name: 'Return to Event' })).toHaveAttribute('href', `/events/${id}`)
  expect(
    await db('applications').where({ eventId: id, email: 'benjamin.ode@example.com' }).select('firstName', 'status'),
  ).toEqual([{ firstName: 'Benjamin', status: 'pending' }])
})
