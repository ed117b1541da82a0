import { randomUUID } from 'node:crypto'
import { expect, type Page } from 'playwright/test'
import { tell } from '../client.ts'
import { olivia, submitSignIn } from '../journey.ts'
import { field, fill, press, reload, screen, see, type Screen } from '../screen.ts'

/** Where the server is, asked on a page of it that is none of the screens. */
async function originOf(page: Page): Promise<string> {
  await page.goto('/not-there-yet')
  return new URL(page.url()).origin
}

/** The newest link of a kind for somebody among the mails that a demo keeps. */
async function newestLink(page: Page, kind: 'reset' | 'verify', email: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const preview = await page.request.get('/mail-preview')
      const mails = (await preview.text()).split('<article').filter((mail) => mail.includes(email))
      link = new RegExp(`/auth#${kind}=[\\w-]{43}`).exec(mails.join(''))?.[0]
      return link
    })
    .toBeDefined()
  return link ?? ''
}

/** Signs somebody new up; answers who. */
async function signUpNewcomer(page: Page): Promise<{ email: string; password: string }> {
  const name = `ben-${randomUUID().slice(0, 6)}`
  const newcomer = { email: `${name}@example.com`, password: 'lantern' }
  await tell(await originOf(page), '/api/register', { username: name, ...newcomer })
  return newcomer
}

/** The link that a newcomer who forgot the password gets. */
async function linkToReset(page: Page): Promise<string> {
  const { email } = await signUpNewcomer(page)
  await tell(new URL(page.url()).origin, '/api/password-reset', { email })
  return await newestLink(page, 'reset', email)
}

/** What links in mails open, and how to get one. */
export const accountMailScreens: readonly Screen[] = [
  screen('forgot-password', '/auth#forgot', see('heading', 'Forgot your password?', 1)),
  screen(
    'forgot-password-sent',
    '/auth#forgot',
    fill('Email', olivia.email),
    press('button', 'Send Link'),
    see('heading', 'Check your email', 1),
  ),
  screen('new-password', linkToReset, /^For ben-/),
  screen(
    'dead-link',
    async (page) => `${await originOf(page)}/auth#reset=${'a'.repeat(43)}`,
    see('heading', 'This link does not work', 1),
  ),
  screen(
    'email-confirmed',
    async (page) => await newestLink(page, 'verify', (await signUpNewcomer(page)).email),
    press('button', 'Confirm Email'),
    see('heading', 'Your email is confirmed', 1),
  ),
]

/** Signs somebody in who has not confirmed their address yet. */
export async function signInAsNewcomer(page: Page): Promise<void> {
  const newcomer = await signUpNewcomer(page)
  await page.goto('/auth')
  await submitSignIn(page, newcomer)
  await page.waitForURL('**/dashboard')
}

/** Asks for the deletion of the account, unless that was asked for in another look at this screen. */
async function deleteAccount(page: Page): Promise<void> {
  const deletion = page.getByRole('region', { name: /^(Delete|Keep) my account$/ })
  const button = deletion.getByRole('button', { name: /^(Delete|Keep) My Account$/ })
  await button.waitFor()
  if (!(await button.textContent())?.startsWith('Delete')) return
  await deletion.getByLabel('Current password').fill('lantern')
  await button.click()
}

const unconfirmed = 'Please confirm your email'
const ending = 'This account will be deleted on'

/** What they see. */
export const newcomerScreens: readonly Screen[] = [
  screen('dashboard-unconfirmed', '/dashboard', unconfirmed, 'No Events Yet'),
  screen('profile-unconfirmed', '/profile', unconfirmed, 'In use now'),
  screen('change-email', '/profile', 'In use now', press('button', 'Wrong address?'), field('New email')),
  screen('account-ending', '/account-settings', deleteAccount, ending, reload, ending),
]
