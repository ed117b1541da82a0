import type { Page } from 'playwright/test'
import { usStates } from '#shared/places/us-states.ts'
import { expect, test } from '../journey.ts'

const desktop = { viewport: { width: 1280, height: 800 } }
const cards = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('heading', { level: 2 })

test('the list of events is searched by text, state, ZIP code and distance, and Clear Filters takes it all back', async ({
  device,
  db,
}) => {
  const [event] = await db('events')
    .where('endDate', '>', db.raw('current_date'))
    .whereNotNull('state')
    .orderBy('id')
    .select<{ name: string; location: string; description: string; city: string; state: string; zipCode: string }[]>()
  if (!event) throw new Error('The demo has no upcoming event')
  const { page } = await device(desktop)
  await page.goto('/events')
  const state = page.getByLabel('State', { exact: true })
  const zip = page.getByLabel('ZIP code')
  const distance = page.getByLabel('Distance')
  const search = page.getByRole('searchbox')
  await expect(cards(page).first()).toBeVisible()
  const all = await cards(page).count()
  expect(await state.locator('option').allInnerTexts()).toEqual(['All states', ...usStates])
  expect(usStates).toHaveLength(50)
  await expect(zip).toHaveAttribute('maxlength', '5')
  expect(await distance.locator('option').allInnerTexts()).toEqual([10, 25, 50, 100, 250].map((n) => `${n} miles`))
  await expect(distance, 'unless another one is chosen').toHaveValue('50')

  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: event.name })
  await expect(card).toContainText(event.location)
  await expect(card).toContainText(`${event.city}, ${event.state}`)
  await expect(card).toContainText(/[A-Z][a-z]+ \d+.*, \d{4}/)

  for (const text of [event.name, event.location, event.description.slice(0, 40), event.city]) {
    await search.fill(text)
    await expect(cards(page).filter({ hasText: event.name }), text).toBeVisible()
    await expect.poll(() => cards(page).count(), { message: text }).toBeLessThan(all)
  }
  await search.fill('nothing is called like this')
  await expect(page.getByText('No events match your search criteria.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(cards(page)).toHaveCount(all)
  await expect(page.getByRole('button', { name: 'Clear Filters' })).toHaveCount(0)

  await state.selectOption(event.state)
  await zip.fill(event.zipCode)
  await distance.selectOption('10')
  await expect(cards(page)).toHaveText([event.name])
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(state).toHaveValue('')
  await expect(zip).toHaveValue('')
  await expect(distance).toHaveValue('50')
  await expect(cards(page)).toHaveCount(all)
  await expect(page.getByRole('main').getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/auth')
})

test('a list without events and a list that cannot be fetched say so', async ({ device }) => {
  const empty = await device(desktop)
  await empty.context.route(/\/api\/events(\?|$)/, (route) =>
    route.fulfill({ json: [], headers: { 'X-Beaconry': '1' } }),
  )
  await empty.page.goto('/events')
  await expect(empty.page.getByRole('heading', { name: 'No events found' })).toBeVisible()
  await expect(empty.page.getByText('There are no upcoming events at the moment.')).toBeVisible()

  const cut = await device(desktop)
  await cut.context.route(/\/api\/events(\?|$)/, (route) => route.abort())
  await cut.page.goto('/events')
  await expect(cut.page.getByRole('heading', { name: 'Failed to fetch events' })).toBeVisible()
})

test('an event shows what, when, where and who, and leads to its application, whose fields are of their kind', async ({
  device,
  db,
}) => {
  const event = await db('events')
    .join('applications', 'applications.eventId', 'events.id')
    .where('applications.status', 'approved')
    .whereNotNull('applications.linkedinUrl')
    .whereNotNull('applications.jobTitle')
    .whereNotNull('applications.company')
    .andWhere('events.endDate', '>', db.raw('current_date'))
    .andWhere('events.showDefaultQuestions', true)
    .first(
      'events.id',
      'events.name',
      'events.description',
      'events.location',
      'events.address',
      'firstName',
      'lastName',
      'jobTitle',
      'company',
      'bio',
    )
  const { page } = await device(desktop)
  await page.goto(`/events/${event.id}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(event.name)
  for (const text of [event.location, event.address, event.description.slice(0, 60)])
    await expect(main).toContainText(text)
  await expect(main).toContainText(/[A-Z][a-z]+ \d+.*, \d{4}/)
  const name = `${event.firstName} ${event.lastName}`
  const beacon = main.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(beacon).toContainText(`${event.firstName[0]}${event.lastName[0]}`)
  await expect(beacon).toContainText(`${event.jobTitle} at ${event.company}`)
  await expect(beacon).toContainText(event.bio.slice(0, 40))
  await expect(beacon.getByRole('link', { name: /LinkedIn/ })).toBeVisible()

  const apply = main.getByRole('link', { name: 'Apply to be a Beacon' })
  await expect(apply).toHaveAttribute('href', `/events/${event.id}/apply`)
  await apply.click()
  for (const [label, type] of [
    ['Email', 'email'],
    ['Phone', 'tel'],
    ['LinkedIn profile', 'url'],
  ] as const)
    await expect(page.getByLabel(label)).toHaveAttribute('type', type)
  await page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByText('You must agree to the terms').first()).toBeVisible()
})
