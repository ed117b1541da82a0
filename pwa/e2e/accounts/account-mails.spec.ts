import type { Page } from 'playwright/test'
import { expect, goByLink, olivia, signIn, submitSignIn } from '../journey.ts'
import { linkTo, test, textsTo } from '../mail/mail-journey.ts'
import { signUp } from './sign-up.ts'

test.use({ serviceWorkers: 'block' })

const line = (page: Page) => page.getByText('Please confirm your email')
const isAt = (page: Page, address: string) =>
  expect.poll(() => page.evaluate(() => location.pathname + location.search + location.hash)).toBe(address)

/** As `signUp` makes them. */
const bo = { username: 'bo-moss', email: 'bo-moss@example.com', password: 'long enough' }

test('who signs up is asked for the address quietly, until the link in the mail is opened, on whatever device', async ({
  device,
  smtp,
}) => {
  const phone = await device()
  await signUp(phone.page, bo.username)
  await expect(line(phone.page)).toBeVisible()
  const link = await linkTo(smtp, bo.email)
  await phone.page.getByRole('button', { name: 'Send again' }).click()
  await expect(phone.page.getByText(`A link is on its way to ${bo.email}.`, { exact: false }).first()).toBeVisible()
  const newer = await linkTo(smtp, bo.email, 2)

  const laptop = await device()
  await laptop.page.goto(link)
  await expect(laptop.page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await laptop.page.goto('/')
  await laptop.context.setOffline(true)
  await goByLink(laptop.page, newer)
  await expect(laptop.page.getByRole('heading', { name: 'Confirming needs a connection' })).toBeVisible()
  await laptop.context.setOffline(false)
  await laptop.page.getByRole('button', { name: 'Try Again' }).click()
  await expect(laptop.page.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible()
  await isAt(laptop.page, '/auth#verify')
  await expect(line(phone.page), 'the phone hears of it').toHaveCount(0)
  await laptop.page.getByRole('link', { name: 'Sign In', exact: true }).last().click()
  await expect(laptop.page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Email')).toHaveValue(bo.email)
})

test('a forgotten password is replaced by the link in the mail, which works once, and the old session is out', async ({
  device,
  smtp,
}) => {
  const phone = await device()
  await signIn(phone.page, olivia)
  const { page, context } = await device()
  await page.goto('/auth')
  await page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Email').fill(olivia.email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(olivia.email)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByText('No link was sent yet')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(olivia.email)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()

  const link = await linkTo(smtp, olivia.email)
  await page.goto(link)
  await expect(page.getByText(`For ${olivia.email}`)).toBeVisible()
  await isAt(page, '/auth#reset')
  await page.reload()
  await expect(page.getByText(`For ${olivia.email}`), 'a reload loses nothing').toBeVisible()
  await expect(page.locator('input[autocomplete=username]')).toHaveValue(olivia.email)
  await expect(page.locator('input[autocomplete=new-password]')).toHaveCount(2)
  await page.getByLabel('New password', { exact: true }).fill('five5')
  await page.getByLabel('Confirm new password').fill('other')
  await page.getByRole('button', { name: 'Save New Password' }).click()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await expect(page.getByText("Passwords don't match")).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('lantern street')
  await page.getByLabel('Confirm new password').fill('lantern street')
  await page.getByRole('button', { name: 'Save New Password' }).click()
  await expect(page.getByText('Password changed').first()).toBeVisible()
  await expect(page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Email')).toHaveValue(olivia.email)
  await phone.page.waitForURL('**/auth')

  await submitSignIn(page, { ...olivia, password: 'lantern street' })
  await page.waitForURL('**/dashboard')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await page.getByRole('link', { name: 'Send a New Link' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
})

test('a mistyped address is changed with the password, and takes effect when the new one is confirmed @nightly', async ({
  context,
  page,
  smtp,
}) => {
  const right = 'bo@example.com'
  await signUp(page, bo.username)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Wrong address?' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New email').fill(right)
  await dialog.getByLabel('Current password').fill('wrong password')
  await dialog.getByRole('button', { name: 'Send Link' }).click()
  await expect(dialog.getByText('This is not your current password')).toBeVisible()
  await dialog.getByLabel('Current password').fill(bo.password)
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Send Link' }).click()
  await expect(dialog.getByText('Nothing was changed yet')).toBeVisible()
  await context.setOffline(false)
  await dialog.getByRole('button', { name: 'Send Link' }).click()
  await expect(dialog.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.goto(await linkTo(smtp, right))
  await expect(page.getByRole('heading', { name: 'Your email is changed' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to Dashboard' }).last().click()
  await expect(page.getByText('No Events Yet')).toBeVisible()
  await expect(line(page)).toHaveCount(0)
  await page.goto('/profile')
  await expect(page.getByRole('region', { name: bo.username }).getByText(right)).toBeVisible()
  await expect.poll(() => textsTo(smtp, bo.email).length).toBe(3)
})
