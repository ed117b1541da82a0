import type { Knex } from 'knex'
import type { BrowserContext, Page } from 'playwright/test'
import {
  type Applicant,
  busiestEvent,
  card,
  decide,
  decisionOf,
  endUndoWindow,
  expectDecidedOnce,
  expectNothingQueued,
  openManage,
  openBusiest,
  underWay,
} from '../applications/applicants.ts'
import { everythingStored } from './everything-kept.ts'
import {
  expect,
  olivia,
  otto,
  pressSignOut,
  readyForOffline,
  signIn,
  submitSignIn,
  test,
  wholeBrowserTest,
  type Journey,
} from '../journey.ts'

const typedName = 'A party nobody has heard of'

/**
 * Texts that only an organizer may see: everybody's email and phone, the family names of those who are not approved
 * anywhere, and what the events say to approved Beacons only.
 */
async function privateTexts(db: Knex, organizerId: number): Promise<string[]> {
  const people = await db('applications')
    .join('events', 'events.id', 'applications.eventId')
    .where({ organizerId })
    .select('applications.email', 'phone', 'lastName', 'status')
  const publicNames = new Set(
    (await db('applications').where({ status: 'approved' })).map(({ lastName: name }) => name),
  )
  const events = await db('events').where({ organizerId })
  const texts = [
    ...people.flatMap(({ email, phone, lastName: name }) => [email, phone, publicNames.has(name) ? null : name]),
    ...events.flatMap((event) => [
      event.beaconInstructions,
      event.promoCode,
      event.customBeaconEmailSubject,
      event.customBeaconEmailBody,
    ]),
  ]
  // As they stand in JSON, which is how everything is searched.
  return texts.filter((text) => text !== null && text.length > 3).map((text) => JSON.stringify(text).slice(1, -1))
}

async function privateTextsKept(page: Page, texts: readonly string[]): Promise<string[]> {
  const kept = await everythingStored(page)
  return texts.filter((text) => kept.includes(text))
}

async function expectSignedOut(page: Page): Promise<void> {
  await expect(page.getByText('You have been successfully logged out.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.getByRole('button', { name: 'Close menu' }).click()
}

/** Looks at what an organizer looks at, types a draft, and has a notification on the screen. */
async function useTheApp(page: Page, eventId: number, someone: Applicant): Promise<void> {
  await openManage(page, eventId, someone)
  await page.goto(`/events/${eventId}`)
  await expect(page.getByRole('heading', { name: 'Meet the Beacons' })).toBeVisible()
  await page.goto('/events/create')
  await page.getByLabel('Event Name').fill(typedName)
  await page.getByLabel('Description').fill('It is a secret.')
  await expect.poll(() => everythingStored(page), 'the draft is on disk').toContain(typedName)
  await page.evaluate(async (id) => {
    const registration = await navigator.serviceWorker.ready
    await registration.showNotification('New application', { tag: `event-${id}`, body: 'Someone applied.' })
  }, eventId)
  await expect.poll(() => everythingStored(page)).toContain('Someone applied.')
}

/** Olivia has used the app on a device; `texts` are what must not be left on it. */
async function signInAndUse({ device, db }: Pick<Journey, 'device' | 'db'>) {
  const { eventId, name, pending } = await busiestEvent(db)
  const [ana] = pending
  const texts = [...(await privateTexts(db, 1)), typedName, 'Someone applied.', olivia.email]
  const { context, page } = await device({ permissions: ['notifications'] })
  await signIn(page, olivia)
  await useTheApp(page, eventId, ana)
  return { context, page, eventId, name, ana, texts }
}

const liveSessions = (db: Knex, userId: number) => db('sessions').where({ userId }).whereNull('revokedAt')
const cookieNames = async (context: BrowserContext) => (await context.cookies()).map(({ name }) => name)

wholeBrowserTest('signing out leaves nothing private, nor anything to the next account', async ({ device, db }) => {
  const { context, page, eventId, name, texts } = await signInAndUse({ device, db })
  expect((await privateTextsKept(page, texts)).length, 'the search finds what is there').toBeGreaterThan(50)

  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(other.getByText(name).first()).toBeVisible()
  // Chromium draws a page behind another one once a second.
  await page.bringToFront()
  await pressSignOut(page)
  const question = page.getByRole('alertdialog', { name: 'Sign out and delete your draft?' })
  await expect(question).toContainText('A draft of yours was never published or saved')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Event Name')).toHaveValue(typedName)
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
  await pressSignOut(page)
  await question.getByRole('button', { name: 'Sign Out' }).click()
  await expectSignedOut(page)
  expect(new Set(visited), 'the way leads to the start page, not past the sign-in form').toEqual(new Set(['/']))
  await other.waitForURL('**/auth')
  await expect.poll(() => privateTextsKept(page, texts)).toEqual([])
  // Without a name: what is left says only that an account has signed in with this browser before.
  expect(await cookieNames(context)).toEqual(['known'])
  expect(await liveSessions(db, 1)).toHaveLength(0)
  await page.reload()
  await page.goto('/dashboard')
  await page.waitForURL('**/auth')
  expect(await privateTextsKept(page, texts)).toEqual([])

  const his = (await db('events').where({ organizerId: 2 }).first('name'))!
  await signIn(page, otto)
  await expect(page.getByRole('heading', { name: 'Welcome, otto' })).toBeVisible()
  await expect(page.getByText(his.name).first()).toBeVisible()
  await expect(page.getByText(name)).toHaveCount(0)
  await page.goto(`/events/manage/${eventId}`)
  await expect(page.getByRole('heading', { name: 'Event Not Found' })).toBeVisible()
  expect(await privateTextsKept(page, texts), 'nothing of hers is on his device').toEqual([])
})

test('signing out offline leaves nothing private, and the server hears @nightly', async ({ device, server, db }) => {
  const { context, page, eventId, ana, texts } = await signInAndUse({ device, db })
  await server.kill()
  await openManage(page, eventId, ana)
  await decide(page, ana, 'Approve')
  expect((await privateTextsKept(page, texts)).length).toBeGreaterThan(50)

  await pressSignOut(page)
  await expect(page.getByRole('dialog', { name: 'Some changes are not sent yet' })).toContainText(
    'A draft of yours was never published or saved, and is deleted from this device.',
  )
  await page.getByRole('button', { name: 'Discard and sign out' }).click()
  await expectSignedOut(page)
  await expect.poll(() => privateTextsKept(page, texts)).toEqual([])
  await page.goto('/dashboard')
  await page.waitForURL('**/auth')
  expect(await liveSessions(db, 1), 'the server could not be told yet').toHaveLength(1)

  await server.start()
  await page.goto('/events')
  await expect.poll(async () => (await liveSessions(db, 1)).length).toBe(0)
  await expect.poll(() => cookieNames(context)).toEqual(['known'])
  expect(await privateTextsKept(page, texts)).toEqual([])
  await readyForOffline(page)
  await signIn(page, olivia)
  await openManage(page, eventId, ana)
  await expect(card(page, ana)).toContainText('Pending')
  await expectNothingQueued(page)
  expect(await decisionOf(db, ana), 'what was discarded never leaves').toEqual({
    status: 'pending',
    decisionNumber: ana.decisionNumber,
  })
})

test('a change made after the question is asked about again, not discarded', async ({ device, db }) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db }, { serviceWorkers: 'block' })
  const [ana] = pending
  const other = await context.newPage()
  await openManage(other, eventId, ana)
  await page.bringToFront()
  await page.goto('/events/create')
  await page.getByLabel('Event Name').fill(typedName)
  await expect.poll(() => everythingStored(page), 'the draft is on disk').toContain(typedName)
  await pressSignOut(page)
  const question = page.getByRole('alertdialog', { name: 'Sign out and delete your draft?' })
  await expect(question).toBeVisible()

  await other.bringToFront()
  await context.route('**/api/sync/mutations', (route) => route.abort())
  await decide(other, ana, 'Approve')
  await expect(card(other, ana)).toContainText(underWay)
  await endUndoWindow(other)
  await page.bringToFront()
  await question.getByRole('button', { name: 'Sign Out' }).click()
  const again = page.getByRole('dialog', { name: 'Some changes are not sent yet' })
  await expect(again).toContainText('1 change has not reached our server.')
  await again.getByRole('button', { name: 'Keep for this account' }).click()
  await expectSignedOut(page)
  await context.unrouteAll()
  await page.goto('/auth')
  await submitSignIn(page, olivia)
  await expectDecidedOnce(db, ana, 'approved')
})

test('unsent changes are kept for their account, locked, until it signs in', async ({ device, server, db }) => {
  const { page, eventId, pending } = await openBusiest({ device, db })
  const [ana] = pending
  await server.kill()
  await decide(page, ana, 'Approve')
  await endUndoWindow(page)
  await pressSignOut(page)
  await page.getByRole('button', { name: 'Keep for this account' }).click()
  await expectSignedOut(page)
  // No other account sees them.
  await expectNothingQueued(page)

  await server.start()
  await signIn(page, otto)
  await expectNothingQueued(page)
  await page.getByRole('button', { name: 'Sync now' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Done.' })).toBeAttached()
  expect((await decisionOf(db, ana))?.status, 'nobody else sends them').toBe('pending')
  await pressSignOut(page)
  await expectSignedOut(page)

  await signIn(page, olivia)
  await expectDecidedOnce(db, ana, 'approved')
  await openManage(page, eventId, ana)
  await expect(card(page, ana)).toContainText('Approved')
})
