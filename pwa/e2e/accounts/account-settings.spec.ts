import { readFileSync } from 'node:fs'
import { leavesOf, parseMime } from '../../../sync-server/testing/mail/mime.ts'
import { expect, olivia, signIn } from '../journey.ts'
import { test } from '../mail/mail-journey.ts'

test.use({ serviceWorkers: 'block', viewport: { width: 390, height: 844 } })

test('an organizer changes the password, which signs other devices out, and downloads the data', async ({
  device,
  smtp,
}) => {
  const { page } = await device()
  const other = await device()
  await signIn(page, olivia)
  await signIn(other.page, olivia)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Account settings' }).click()
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

  await expect
    .poll(() => smtp.received.map(({ raw }) => leavesOf(parseMime(raw))[0]?.content ?? '').join())
    .toContain('has a new password')

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
