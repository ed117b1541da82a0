import type { Page } from 'playwright/test'
import type { Screen } from './screens.ts'

async function visit(page: Page, path: string, arrived: () => Promise<void>): Promise<void> {
  await page.goto(path)
  await arrived()
  // Text in the fallback face has other widths.
  await page.evaluate(() => document.fonts.ready)
}

const profile = async (page: Page) => {
  await page.getByText('In use now').first().waitFor()
  await page.getByText(/^In step as of/).waitFor()
}

/** What an organizer sees of the account, this device and the admin's pages. */
export const organizerAccountScreens: readonly Screen[] = [
  { name: 'profile', open: (page) => visit(page, '/profile', () => profile(page)) },
  {
    name: 'profile-rename',
    open: (page) =>
      visit(page, '/profile', async () => {
        await profile(page)
        await page.getByRole('button', { name: 'Rename this device' }).click()
        await page.getByLabel('Name of this device').waitFor()
      }),
  },
  {
    name: 'profile-wipe',
    open: (page) =>
      visit(page, '/profile', async () => {
        await profile(page)
        await page.getByRole('button', { name: 'Wipe This Device' }).click()
        await page.getByRole('alertdialog').waitFor()
      }),
  },
  {
    name: 'admin-denied',
    open: (page) => visit(page, '/admin', () => page.getByRole('heading', { name: 'Access Denied' }).waitFor()),
  },
]

/** What Ada sees of the platform. */
export const adminScreens: readonly Screen[] = [
  {
    name: 'admin',
    open: (page) => visit(page, '/admin', () => page.locator('[data-row]').first().waitFor()),
  },
]
