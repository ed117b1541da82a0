import type { Page, Route } from 'playwright/test'
import type { Screen } from '../screens.ts'

const list = /\/api\/events(\?|$)/

/** As on the day after the last event. */
export async function answerNoEvents(route: Route): Promise<void> {
  await route.fulfill({ response: await route.fetch(), json: [] })
}

async function visit(page: Page, path: string, words: string | RegExp): Promise<void> {
  await page.goto(path)
  await page.getByText(words).first().waitFor()
  // Text in the fallback face has other widths.
  await page.evaluate(() => document.fonts.ready)
}

/** Where no event is coming up. A device that remembers some shows them first, so it is seen before any other list. */
export const noEventsScreen: Screen = {
  name: 'events-none',
  open: async (page) => {
    await page.route(list, answerNoEvents)
    await visit(page, '/events', 'There are no upcoming events at the moment.')
    await page.unroute(list)
  },
}

/** The list of events, searched, as anybody sees it. */
export const searchScreens: readonly Screen[] = [
  { name: 'events-near', open: (page) => visit(page, '/events?zipCode=20001&radius=250', 'miles away') },
  {
    name: 'events-filters',
    open: async (page) => {
      await visit(page, '/events?state=Texas&zipCode=78704&radius=100', 'miles away')
      // A wide screen shows them in a row.
      const folded = page.getByRole('button', { name: /^Filters/ })
      if (await folded.isVisible()) await folded.click()
      await page.getByLabel('ZIP code').waitFor()
    },
  },
  {
    name: 'events-none-match',
    open: (page) => visit(page, '/events?q=parachutes', 'No events match your search criteria.'),
  },
  {
    name: 'events-unknown-zip',
    open: (page) => visit(page, '/events?zipCode=00000', 'We do not know the ZIP code 00000.'),
  },
]
