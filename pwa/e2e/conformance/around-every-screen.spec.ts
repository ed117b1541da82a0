import type { Page } from 'playwright/test'
import { ada, expect, expectLinks, goByLink, holdBack, olivia, signIn, sharingTest as test } from '../journey.ts'

const desktop = { width: 1280, height: 800 }
test.use({ viewport: desktop })
const nav = ['Home', 'Events', 'How It Works', 'Pricing', 'Resources']

/** What the menu of a narrow screen offers, in its order. */
async function mobileMenu(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  const entries = page.getByRole('navigation', { name: 'Menu' }).locator('a, button')
  const names = await entries.allInnerTexts()
  await page.getByRole('button', { name: 'Close menu' }).click()
  await page.setViewportSize(desktop)
  return names
}

/** Opens the menu behind the initials, whose file arrives after the press, and answers what it offers. */
async function accountMenu(page: Page): Promise<string[]> {
  const arrives = await holdBack(page, /\/menus-[^/]*\.js$/)
  await page.getByRole('button', { name: /account of/ }).click()
  arrives()
  const entries = page.getByRole('menu').getByRole('menuitem')
  await entries.first().waitFor()
  const names = await entries.allInnerTexts()
  await page.keyboard.press('Escape')
  return names
}

test('header, menu and footer offer everyone what is theirs, and every link leads to its page', async ({
  page,
  device,
}) => {
  await page.goto('/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Beaconry' })).toHaveAttribute('href', '/')
  await expect(header.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText(nav)
  for (const name of ['Sign In', 'Sign Up'])
    await expect(header.getByRole('link', { name, exact: true })).toHaveAttribute('href', /^\/auth(#sign-up)?$/)
  expect(await mobileMenu(page)).toEqual([...nav, 'Sign In', 'Sign Up'])
  await expectLinks(page, {
    'Create Your First Event': '/event-builder',
    'See How It Works': '/how-it-works',
    'Create an Event': '/event-builder',
    'Sign In': '/auth',
  })
  const footer = await page
    .getByRole('contentinfo')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(footer).toEqual(['/features', '/pricing', '/faq', '/about', '/blog', '/contact', '/privacy', '/terms'])

  for (const part of [header.getByRole('navigation', { name: 'Main' }), page.getByRole('contentinfo')]) {
    for (const link of await part.getByRole('link').all()) {
      const to = (await link.getAttribute('href')) ?? ''
      await link.click()
      await expect(page).toHaveURL(new RegExp(`${to}$`))
      await expect(page.getByRole('heading', { level: 1 }), to).not.toHaveText('404 Page Not Found')
    }
  }

  const organizer = await device()
  await signIn(organizer.page, olivia)
  await expect(organizer.page.getByRole('button', { name: /account of olivia/ })).toContainText(/^ol/i)
  await expect(organizer.page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
  expect(await accountMenu(organizer.page)).toEqual(['Dashboard', 'Profile', 'Sign Out'])
  expect(await mobileMenu(organizer.page)).toEqual([...nav, 'Dashboard', 'Profile', 'Sign Out'])
  await organizer.page.goto('/auth')
  await organizer.page.waitForURL('**/dashboard')
  await organizer.page.goto('/')
  await expectLinks(organizer.page, { 'Go to Dashboard': '/dashboard', 'Go to Your Dashboard': '/dashboard' })
  await expect(organizer.page.getByRole('link', { name: /Create (Your First|an) Event/ })).toHaveCount(0)

  const admin = await device()
  await signIn(admin.page, ada)
  expect(await accountMenu(admin.page)).toEqual(['Dashboard', 'Profile', 'Admin Dashboard', 'Sign Out'])
  expect(await mobileMenu(admin.page), 'no admin link on a phone').toEqual([...nav, 'Dashboard', 'Profile', 'Sign Out'])
})

test('a protected page shows a spinner while it loads, and sends a visitor to sign in', async ({ page }) => {
  const answer = await holdBack(page, /\/api\/(session|user)$/)
  await page.goto('/dashboard')
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  answer()
  await page.waitForURL('**/auth')
  for (const path of [
    '/profile',
    '/billing-history',
    '/manage-subscription',
    '/admin',
    '/subscription',
    '/events/create',
    '/events/edit/1',
    '/events/manage/1',
    '/events/1/customize',
    '/checkout?planId=1',
  ]) {
    await goByLink(page, path)
    await page.waitForURL('**/auth')
  }
})

test('login-required messages stand on every screen of an account whose session has ended', async ({ page, db }) => {
  await signIn(page, ada)
  await page.goto('/manage-subscription')
  await page.getByRole('heading', { name: 'Manage Subscription' }).waitFor()
  await db('sessions').update({ expiresAt: new Date(0) })
  const messages = {
    '/billing-history': 'Please log in to view your billing history.',
    '/profile': 'Please log in to view your profile.',
    '/subscription': 'Please log in to view your subscription.',
    '/manage-subscription': 'Please log in to manage your subscription.',
    '/admin': 'Please log in to access the admin dashboard.',
  }
  const [first] = Object.keys(messages)
  for (const [path, message] of Object.entries(messages)) {
    await goByLink(page, path)
    // The first call of this device that is refused asks the person to sign in where they are.
    if (path === first) await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText(message)).toBeVisible()
  }
})
