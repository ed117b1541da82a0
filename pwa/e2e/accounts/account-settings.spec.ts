import { readFileSync } from 'node:fs'
import { comeToDashboard, expect, olivia, signIn, submitSignIn } from '../journey.ts'
import { test, textsTo } from '../mail/mail-journey.ts'
import { signUp } from './sign-up.ts'

test.use({ serviceWorkers: 'block' })

test('name and password are changed, others signed out, the data downloaded', async ({ page, device }) => {
  const other = await device()
  await signIn(page, olivia)
  await signIn(other.page, olivia)
  await page.goto('/profile')
  await page.getByRole('region', { name: olivia.username }).getByRole('link', { name: 'Account settings' }).click()
  const name = page.getByRole('region', { name: 'Change username' })
  await name.getByLabel('Username').fill('otto')
  await name.getByRole('button', { name: 'Save Username' }).click()
  await expect(name.getByText('This username is already taken')).toBeVisible()
  await name.getByLabel('Username').fill('olivia of the lanterns')
  await name.getByRole('button', { name: 'Save Username' }).click()
  await expect(page.getByText('Username changed').first()).toBeVisible()
  const card = page.getByRole('region', { name: 'Change password' })
  await card.getByLabel('Current password').fill('wrong password')
  await card.getByLabel('New password', { exact: true }).fill('a new lantern')
  await card.getByLabel('Confirm new password').fill('another lantern')
  await card.getByRole('button', { name: 'Save New Password' }).click()
  await expect(card.getByText("Passwords don't match")).toBeVisible()
  await card.getByLabel('Confirm new password').fill('a new lantern')
  await card.getByRole('button', { name: 'Save New Password' }).click()
  await expect(card.getByText('This is not your current password')).toBeVisible()
  await card.getByLabel('Current password').fill(olivia.password)
  await card.getByRole('button', { name: 'Save New Password' }).click()
  await expect(page.getByText('Password changed').first()).toBeVisible()
  await expect(card.getByLabel('Current password')).toHaveValue('')

  const data = page.getByRole('region', { name: 'Download my data' })
  await data.getByLabel('Current password').fill('a new lantern')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    data.getByRole('button', { name: 'Download as a File' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^beaconry-data-\d{4}-\d\d-\d\d\.json$/)
  expect(JSON.parse(readFileSync(await download.path(), 'utf8')).account.email).toBe(olivia.email)

  await other.page.goto('/profile')
  await expect(other.page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
})

test('an account’s deletion is told on every device, and taken back on any @nightly', async ({
  page,
  device,
  smtp,
}) => {
  const other = await device()
  await signUp(page, 'bea')
  await other.page.goto('/auth')
  await submitSignIn(other.page, { email: 'bea@example.com', password: 'long enough' })
  await comeToDashboard(other.page)
  await page.goto('/account-settings')
  const deletion = page.getByRole('region', { name: 'Delete my account' })
  await deletion.getByLabel('Current password').fill('wrong password')
  await deletion.getByRole('button', { name: 'Delete My Account' }).click()
  await expect(deletion.getByText('This is not your current password')).toBeVisible()
  await deletion.getByLabel('Current password').fill('long enough')
  await deletion.getByRole('button', { name: 'Delete My Account' }).click()
  await expect(page.getByText(/^This account will be deleted on \w+ \d+, \d{4}$/)).toBeInViewport()
  await expect.poll(() => textsTo(smtp, 'bea@example.com').join()).toContain('choose Keep My Account')

  await expect(other.page.getByText(/^This account will be deleted on/), 'without a reload').toBeVisible()
  await other.page.getByRole('link', { name: 'Keep My Account' }).click()
  const keeping = other.page.getByRole('region', { name: 'Keep my account' })
  await keeping.getByLabel('Current password').fill('long enough')
  await keeping.getByRole('button', { name: 'Keep My Account' }).click()
  await expect.poll(() => textsTo(smtp, 'bea@example.com').join()).toContain('will not be deleted')
  await expect(other.page.getByText('Your account stays').first()).toBeVisible()
  await expect(other.page.getByText(/^This account will be deleted on/)).toHaveCount(0)
  await expect(deletion.getByRole('button', { name: 'Delete My Account' })).toBeVisible()
})
