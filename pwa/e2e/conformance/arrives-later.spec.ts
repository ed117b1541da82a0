import { busiestEvent, card, expectKept, openManage, view } from '../applications/applicants.ts'
import { rowsOnDisk } from '../device-database.ts'
import { expect, olivia, readyForOffline, signIn, test } from '../journey.ts'
import { readingPages } from '../site/reading-pages.ts'

test('an event deleted, edited, customized and closed, and a rejection nobody is told of, made with the server dead, arrive once @nightly', async ({
  device,
  server,
  db,
}) => {
  const { eventId: id, pending } = await busiestEvent(db)
  const [ana] = pending
  const others: { id: number; name: string }[] = await db('events')
    .where({ organizerId: 1 })
    .andWhere('endDate', '>', db.raw('current_date'))
    .whereNot({ id })
    .orderBy('id')
    .limit(2)
    .select('id', 'name')
  const [closed, deleted] = others as [{ id: number; name: string }, { id: number; name: string }]
  const { page } = await device()
  await signIn(page, olivia)
  await openManage(page, id, ana)
  await server.kill()

  const dialog = await view(page, ana)
  await dialog.getByLabel('Tell the applicant').uncheck()
  await dialog.getByRole('button', { name: `Reject ${ana.name}` }).click()
  await page.keyboard.press('Escape')
  await expect(card(page, ana)).toContainText('Rejected')
  await expectKept(page, ana)

  await page.goto(`/events/${id}/customize`)
  await page.getByLabel('Subject').fill('Welcome, [Beacon Name]!')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(`**/events/manage/${id}`)
  await page.goto(`/events/edit/${id}`)
  await page.getByLabel('Venue').fill('The other pier')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.waitForURL('**/dashboard')

  await page.goto(`/events/manage/${closed.id}`)
  await page.getByLabel('People can apply').click()
  await expect(page.getByText('You closed them by hand.')).toBeVisible()

  await page.goto(`/events/manage/${deleted.id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Event' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('link', { name: `Manage Event: ${deleted.name}` })).toHaveCount(0)
  expect(await db('events').whereIn('id', [id, closed.id, deleted.id])).toHaveLength(3)

  await server.start()
  await expect.poll(() => db('events').where({ id: deleted.id }), { timeout: 60_000 }).toEqual([])
  await expect(page.getByRole('link', { name: 'All saved' })).toBeVisible({ timeout: 60_000 })
  expect(await db('events').where({ id }).first('location', 'customBeaconEmailSubject')).toEqual({
    location: 'The other pier',
    customBeaconEmailSubject: 'Welcome, [Beacon Name]!',
  })
  expect((await db('events').where({ id: closed.id }).first('applicationsClosed'))?.applicationsClosed).toBe(true)
  expect(await db('applications').where({ id: ana.id }).first('status', 'decisionNumber')).toEqual({
    status: 'rejected',
    decisionNumber: ana.decisionNumber + 1,
  })
  expect(await db('jobs').where('key', 'like', `decision-mail:${ana.id}:%`), 'nobody is told').toEqual([])
})

test('each public page opens with the server dead: what is only read at once, the others once they were visited', async ({
  device,
  server,
  db,
}) => {
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
  const { page } = await device()
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
