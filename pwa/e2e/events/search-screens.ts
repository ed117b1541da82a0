import type { Page, Route } from 'playwright/test'
import { field, screen, type Screen } from '../screen.ts'

const list = /\/api\/events(\?|$)/

/** As on the day after the last event. */
export async function answerNoEvents(route: Route): Promise<void> {
  await route.fulfill({ response: await route.fetch(), json: [] })
}

async function withoutEvents(page: Page): Promise<string> {
  await page.route(list, answerNoEvents)
  return '/events'
}

/** Where no event is coming up. A device that remembers some shows them first, so it is seen before any other list. */
export const noEventsScreen = screen(
  'events-none',
  withoutEvents,
  'There are no upcoming events at the moment.',
  (page) => page.unroute(list),
)

/** A wide screen shows the filters in a row. */
async function openFilters(page: Page): Promise<void> {
  const folded = page.getByRole('button', { name: /^Filters/ })
  if (await folded.isVisible()) await folded.click()
}

/** The list of events, searched, as anybody sees it. */
export const searchScreens: readonly Screen[] = [
  screen('events-near', '/events?zipCode=20001&radius=250', 'miles away'),
  screen(
    'events-filters',
    '/events?state=Texas&zipCode=78704&radius=100',
    'miles away',
    openFilters,
    field('ZIP code'),
  ),
  screen('events-none-match', '/events?q=parachutes', 'No events match your search criteria.'),
  screen('events-unknown-zip', '/events?zipCode=00000', 'We do not know the ZIP code 00000.'),
]
