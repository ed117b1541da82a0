import { busiestEvent, card, openManage, type Applicant } from '../applicants.ts'
import { expect, olivia, readyForOffline, signIn, test } from '../journey.ts'

test('an event deleted, edited, customized and closed, and a rejection nobody is told of, made with the server dead, arrive once', async ({
  device,
  server,
  db,
}) => {
  const { id, pending } = await busiestEvent(db)
  const [ana] = pending as [Applicant]
  const others: { id: number; name: string }[] = await db('events')
    .where({ organizer_id: 1 })
    .andWhere('end_date', '>', db.raw('current_date'))
    .whereNot({ id })
    .orderBy('id')
    .limit(2)
    .select('id', 'name')
  const [closed, deleted] = others as [{ id: number; name: string }, { id: number; name: string }]
  const { page } = await device()
  await signIn(page, olivia)
  await openManage(page, id, ana)
  await server.kill()

  await card(page, ana)
    .getByRole('button', { name: `View ${ana.name}` })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tell the applicant').uncheck()
  await dialog.getByRole('button', { name: `Reject ${ana.name}` }).click()
  await page.keyboard.press('Escape')
  await expect(card(page, ana)).toContainText('Rejected')

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
  expect(await db('events').where({ id }).first('location', 'custom_beacon_email_subject')).toEqual({
    location: 'The other pier',
    custom_beacon_email_subject: 'Welcome, [Beacon Name]!',
  })
  expect((await db('events').where({ id: closed.id }).first('applications_closed'))?.applications_closed).toBe(true)
  expect(await db('applications').where({ id: ana.id }).first('status', 'decision_number')).toEqual({
    status: 'rejected',
    decision_number: ana.decision_number + 1,
  })
  expect(await db('jobs').where('key', 'like', `decision-mail:${ana.id}:%`), 'nobody is told').toEqual([])
})

test('each public page of events, plans and accounts opens with the server dead once it was visited', async ({
  device,
  server,
  db,
}) => {
  const { id, name } = await busiestEvent(db)
  const pages = {
    '/auth': /Welcome|Sign/,
    '/events': 'Upcoming Events',
    [`/events/${id}`]: name,
    [`/events/${id}/apply`]: 'Become a Beacon',
    '/pricing': 'Pricing',
    '/event-builder': 'Build your event',
    '/checkout-status': 'Payment Failed',
    '/nowhere': '404 Page Not Found',
  }
  const { page } = await device()
  const openAll = async () => {
    for (const [path, title] of Object.entries(pages)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(title)
    }
  }
  await openAll()
  await readyForOffline(page)
  await server.kill()
  await openAll()
  await page.goto('/pricing')
  await expect(page.getByText('Sign Up to Subscribe').first(), 'the plans themselves, too').toBeVisible()
  await page.goto('/events')
  await expect(page.getByRole('link', { name: /View Details/ }).first(), 'and the events').toBeVisible()
})
