import { expect, sharingTest as test } from '../journey.ts'

const desktop = { viewport: { width: 1280, height: 800 } }

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
