import { randomUUID } from 'node:crypto'
import { expect, request, type Page } from 'playwright/test'
import { olivia, submitSignIn } from '../journey.ts'
import type { Screen } from '../screens.ts'

const fontsReady = (page: Page) => page.evaluate(() => document.fonts.ready)
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** Says what the server is told as a page of it would. */
async function tell(page: Page, path: string, data: object): Promise<void> {
  const origin = new URL(page.url()).origin
  const stranger = await request.newContext()
  const answer = await stranger.post(origin + path, { data, headers: { Origin: origin } })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  await stranger.dispose()
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
  await page.goto('/not-there-yet')
  const name = `ben-${randomUUID().slice(0, 6)}`
  const newcomer = { email: `${name}@example.com`, password: 'lantern' }
  await tell(page, '/api/register', { username: name, ...newcomer })
  return newcomer
}

/** What links in mails open, and how to get one. */
export const accountMailScreens: readonly Screen[] = [
  {
    name: 'forgot-password',
    open: async (page) => {
      await page.goto('/auth#forgot')
      await heading(page, 'Forgot your password?')
      await fontsReady(page)
    },
  },
  {
    name: 'forgot-password-sent',
    open: async (page) => {
      await page.goto('/auth#forgot')
      await page.getByLabel('Email').fill(olivia.email)
      await page.getByRole('button', { name: 'Send Link' }).click()
      await heading(page, 'Check your email')
      await fontsReady(page)
    },
  },
  {
    name: 'new-password',
    open: async (page) => {
      const { email } = await signUpNewcomer(page)
      await tell(page, '/api/password-reset', { email })
      await page.goto(await newestLink(page, 'reset', email))
      await page.getByText(`For ${email}`).waitFor()
      await fontsReady(page)
    },
  },
  {
    name: 'dead-link',
    open: async (page) => {
      await page.goto('/not-there-yet')
      await page.goto(`/auth#reset=${'a'.repeat(43)}`)
      await heading(page, 'This link does not work')
      await fontsReady(page)
    },
  },
  {
    name: 'email-confirmed',
    open: async (page) => {
      const { email } = await signUpNewcomer(page)
      await page.goto(await newestLink(page, 'verify', email))
      await heading(page, 'Your email is confirmed')
      await fontsReady(page)
    },
  },
]

/** Signs somebody in who has not confirmed their address yet. */
export async function signInAsNewcomer(page: Page): Promise<void> {
  const newcomer = await signUpNewcomer(page)
  await page.goto('/auth')
  await submitSignIn(page, newcomer)
  await page.waitForURL('**/dashboard')
}

/** What they see. */
export const newcomerScreens: readonly Screen[] = [
  {
    name: 'dashboard-unconfirmed',
    open: async (page) => {
      await page.goto('/dashboard')
      await page.getByText('Please confirm your email').waitFor()
      await page.getByText('No Events Yet').waitFor()
      await fontsReady(page)
    },
  },
  {
    name: 'profile-unconfirmed',
    open: async (page) => {
      await page.goto('/profile')
      await page.getByText('Please confirm your email').waitFor()
      await page.getByText('In use now').first().waitFor()
      await fontsReady(page)
    },
  },
  {
    name: 'change-email',
    open: async (page) => {
      await page.goto('/profile')
      await page.getByText('In use now').first().waitFor()
      await page.getByRole('button', { name: 'Wrong address?' }).click()
      await page.getByLabel('New email').waitFor()
      await fontsReady(page)
    },
  },
  {
    name: 'account-ending',
    open: async (page) => {
      await page.goto('/account-settings')
      const deletion = page.getByRole('region', { name: 'Delete my account' })
      const button = deletion.getByRole('button', { name: /^(Delete|Keep) My Account$/ })
      await button.waitFor()
      if ((await button.textContent())?.startsWith('Delete')) {
        await deletion.getByLabel('Current password').fill('lantern')
        await button.click()
      }
      await deletion.getByText('This account will be deleted on').waitFor()
      await page.reload()
      await deletion.getByText('This account will be deleted on').waitFor()
      await fontsReady(page)
    },
  },
]
