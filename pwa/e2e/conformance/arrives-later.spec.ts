import { busiestEvent } from '../applications/applicants.ts'
import { rowsOnDisk } from '../device-database.ts'
import { expect, readyForOffline, test } from '../journey.ts'
import { readingPages } from '../site/reading-pages.ts'

test('public pages open offline: reading pages at once, the others once visited', async ({ page, server, db }) => {
  const { eventId: id, name } = await busiestEvent(db)
  // What the heading says, and what the page is about: it comes a moment later.
  const pages = [
    ['/auth', 'Welcome back', 'Sign Up'],
    ['/events', 'Upcoming Events', 'View Details'],
    [`/events/${id}`, name, 'Beacon Incentives'],
    [`/events/${id}/apply`, 'Become a Beacon', 'Personal Information'],
    ['/pricing', 'Pricing', 'Sign Up to Subscribe'],
    ['/event-builder', 'Build your event', 'Save Draft and Continue'],
    ['/checkout-status', 'Payment Failed', 'Payment information not found. Please try again.'],
    ['/nowhere', '404 Page Not Found', 'Browse Events'],
  ] as const
  const openAll = async () => {
    for (const [path, title, content] of pages) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(title)
      await expect(page.getByRole('main').getByText(content).first(), path).toBeVisible()
    }
  }
  // The first list is kept once the page is at rest, which takes a moment in which people read.
  await page.goto('/events')
  await expect.poll(() => rowsOnDisk(page, 'beaconry-browse', 'events')).not.toEqual([])
  await openAll()
  await readyForOffline(page)
  await server.kill()
  await openAll()
  for (const [path, title] of readingPages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(title)
  }
})
