import type { Knex } from 'knex'
import { readMail } from '../../../sync-server/testing/mail/smtp-service.ts'
import { ada, expect, olivia, signIn } from '../journey.ts'
import { test } from '../mail/mail-journey.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const devicesOf = async (db: Knex, userId: number) =>
  (await db('sessions').where({ userId, revokedAt: null }).orderBy('id')).map((row) => row.deviceName)

test('on the profile Olivia reads licenses, renames her phone and signs a lost tablet out @nightly', async ({
  device,
  db,
}) => {
  const { context, page } = await device(phone)
  await signIn(page, olivia)
  const tablet = await device()
  await signIn(tablet.page, olivia)
  await tablet.page
    .getByRole('link', { name: /Manage Event/ })
    .first()
    .waitFor()

  await page.goto('/profile')
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByText('Premium Plan')).toBeVisible()
  await expect(page.getByText('Renewal Date')).toBeVisible()
  await expect(page.getByText(/^Beaconry \d+\.\d+\.\d+$/)).toBeVisible()
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Licenses' }).click()
  const licenses = await (await context.request.get((await opened).url())).text()
  for (const name of [
    'react',
    'rxdb',
    'dexie',
    'workbox-precaching',
    '@fontsource-variable/familjen-grotesk',
    'daisyui',
  ])
    expect(licenses).toMatch(new RegExp(`^${name} \\d.* \\(`, 'm'))
  expect(licenses).toContain('Permission is hereby granted')

  await page.getByRole('button', { name: 'Rename this device' }).click()
  await page.getByLabel('Name of this device').fill("Olivia's phone")
  await page.getByRole('button', { name: 'Save Name' }).click()
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This device' })).toContainText("Olivia's phone")
  expect(await devicesOf(db, 1)).toContain("Olivia's phone")

  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out Others' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect(await devicesOf(db, 1)).toEqual(["Olivia's phone"])
  await tablet.page.waitForURL('**/auth')

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText(olivia.email).first(), 'the account is readable without a network').toBeVisible()
  await expect(page.getByText('The list of devices needs a connection')).toBeVisible()
  await page.getByRole('button', { name: 'Rename this device' }).click()
  await page.getByLabel('Name of this device').fill('Phone at the door')
  await page.getByRole('button', { name: 'Save Name' }).click()
  // The list is asked for again as soon as the server can be reached, by itself.
  await context.setOffline(false)
  await expect(sessions.getByRole('listitem')).toContainText('Phone at the door')
})

test('the test email asks for an address, and reaches it @nightly', async ({ device, smtp }) => {
  const { page } = await device({ serviceWorkers: 'block' })
  await signIn(page, olivia)
  await page.goto('/profile')
  const send = page.getByRole('button', { name: 'Send Test Email' })
  await send.click()
  await expect(page.getByText('Email required').first()).toBeVisible()
  await expect(page.getByText('Please enter an email address to send the test email to.').first()).toBeVisible()
  await page.getByLabel('Email address').fill('bea@example.com')
  await send.click()
  await expect(page.getByText('Test email sent to bea@example.com.').first()).toBeVisible()
  // The demo's own reminders go the same way.
  const tests = smtp.received.filter(({ to }) => to.includes('bea@example.com'))
  expect(tests.map(({ to }) => to)).toEqual([['bea@example.com']])
  expect(readMail(tests[0]!).parts[0]).toContain('you have been approved as a Beacon')
  smtp.refused.set('gone@example.com', 550)
  await page.getByLabel('Email address').fill('gone@example.com')
  await send.click()
  await expect(page.getByText('Failed to send test email').first()).toBeVisible()
})

test('Ada sees the last numbers of the platform without a network @nightly', async ({ device }) => {
  const { context, page } = await device(phone)
  await signIn(page, ada)
  await page.goto('/admin')
  await expect(page.getByRole('list', { name: 'User accounts' }).getByRole('listitem').first()).toBeVisible()
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText(/^Saved on this device, as of/)).toBeVisible()
  await expect(page.getByText('Total Users', { exact: true }).locator('..')).toContainText(/[1-9]/)
  await expect(page.getByText('The list of accounts needs a connection')).toBeVisible()
})
