import type { BrowserContext, Page } from 'playwright/test'
import { fillInSignUp } from '../accounts/sign-up.ts'
import { button, card, manageBusiest, view } from '../applications/applicants.ts'
import { bea, fillInApplication, openEvent, submitApplication } from '../applications/application-form.ts'
import { fillInEvent } from '../events/event-form.ts'
import { expect, olivia, submitSignIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block' })

/** Replaces each text by elements of its own, as Chrome's translator does, for as long as the page is open. */
async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const isLeft = (text: Text) =>
      !/\p{L}/u.test(text.data) || text.parentElement?.closest('font, script, style, svg, option, textarea') !== null
    new MutationObserver(() => {
      const texts: Text[] = []
      const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) if (!isLeft(walker.currentNode as Text)) texts.push(walker.currentNode as Text)
      for (const text of texts) {
        const outer = document.createElement('font')
        outer.append(document.createElement('font'))
        outer.firstElementChild?.append(text.data)
        text.replaceWith(outer)
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })

test('a page that the browser translates works, and shows no old word', async ({ device, db }) => {
  const falls: string[] = []
  const open = async () => {
    const { context, page } = await device()
    await translatePages(context)
    page.on('pageerror', ({ message }) => falls.push(message))
    return page
  }

  const visitor = await open()
  const { id: eventId } = await openEvent(db)
  await visitor.goto(`/events/${eventId}/apply`)
  await expect(visitor.locator('h1 > font > font'), 'the page is translated').toHaveText('Become a Beacon')
  await visitor.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.getByText('Please enter a valid email address')).toBeVisible()
  await fillInApplication(visitor, bea)
  await visitor.getByRole('button', { name: 'Back' }).click()
  await visitor.getByRole('button', { name: 'Continue' }).click()
  await submitApplication(visitor)
  await expect(heading(visitor, 'Application Submitted')).toBeVisible()

  await visitor.goto('/event-builder')
  await visitor.getByRole('button', { name: 'Save Draft and Continue' }).click()
  await expect(visitor.getByText('Start date is required')).toBeVisible()
  await fillInEvent(visitor, { name: 'Lantern Walk' })
  await visitor.getByRole('button', { name: 'Save Draft and Continue' }).click()
  await expect(heading(visitor, 'Draft saved')).toBeVisible()
  await visitor.getByRole('link', { name: 'Create Account / Sign In' }).click()
  await fillInSignUp(visitor, 'bea')
  await expect(visitor.getByText('Subscription Required')).toBeVisible()

  const organizer = await open()
  await organizer.goto('/auth')
  await submitSignIn(organizer, { ...olivia, password: 'not hers' })
  await expect(organizer.getByText('Invalid email or password').first()).toBeVisible()
  await submitSignIn(organizer, olivia)
  await expect(heading(organizer, /^Welcome, /)).toBeVisible()

  const { eventId: managed, pending } = await manageBusiest(organizer, db)
  const [first, second] = pending
  const expectWord = async (word: 'Pending' | 'Approved' | 'Rejected', applicant = first) => {
    await expect(card(organizer, applicant)).toContainText(word)
    for (const other of ['Pending', 'Approved', 'Rejected'].filter((one) => one !== word))
      await expect(card(organizer, applicant)).not.toContainText(other)
  }
  await button(organizer, first, 'Approve').click()
  await expectWord('Approved')
  await button(organizer, first, 'Undo for').click()
  await expectWord('Pending')
  await button(organizer, second, 'Reject').click()
  await expectWord('Rejected', second)
  await organizer.getByRole('button', { name: 'Undo', exact: true }).click()
  await expectWord('Pending', second)
  const details = await view(organizer, first)
  await details.getByRole('button', { name: 'Approve' }).click()
  await organizer.keyboard.press('Escape')
  await expectWord('Approved')

  await organizer.goto(`/events/${managed}/customize`)
  await organizer.getByLabel('Subject').fill('Welcome to the harbor')
  await organizer.getByRole('tab', { name: 'Application Questions' }).click()
  await organizer.locator('#new-question').fill('Which languages do you speak?')
  await organizer.locator('#new-question').press('Enter')
  await organizer.getByRole('button', { name: 'Save', exact: true }).click()
  await organizer.waitForURL(`**/events/manage/${managed}`)
  await expectWord('Approved')

  expect(falls).toEqual([])
})
