import type { Knex } from 'knex'
import { expect, type BrowserContextOptions, type Locator, type Page } from 'playwright/test'
import { addOrganizer } from '../../../sync-server/bench/stage.ts'
import { rowsOnDisk } from '../device-database.ts'
import { olivia, signIn, type Journey, type PersonalDevice } from '../journey.ts'

/** Someone who applied, as the database knows them. */
export interface Applicant {
  id: number
  name: string
  email: string
  decisionNumber: number
}

/** An event of Olivia's, and its people who are not rejected. */
interface BusyEvent {
  readonly eventId: number
  readonly name: string
  readonly pending: [Applicant, Applicant, Applicant, Applicant, Applicant, ...Applicant[]]
  readonly approved: [Applicant, Applicant, ...Applicant[]]
}

/** Olivia's upcoming event with the most applications of this status. */
export async function busiestEvent(db: Knex, status: 'pending' | 'approved' = 'pending'): Promise<BusyEvent> {
  const event = await db('events')
    .where({ organizerId: 1 })
    .andWhere('endDate', '>=', db.raw('current_date'))
    .orderByRaw('(select count(*) from applications a where a.event_id = events.id and a.status = ?) desc', [status])
    .first('id', 'name')
  if (!event) throw new Error('The demo has no upcoming event')
  const { id: eventId, name } = event
  const people = (status: 'pending' | 'approved') =>
    db('applications')
      .where({ eventId, status })
      .orderBy('id')
      .select<Applicant[]>('id', 'email', 'decisionNumber', db.raw("first_name || ' ' || last_name as name"))
  return {
    eventId,
    name,
    pending: (await people('pending')) as BusyEvent['pending'],
    approved: (await people('approved')) as BusyEvent['approved'],
  }
}

/** Lets an event take place on days counted from today. Before a device has fetched it. */
export async function holdOn(db: Knex, eventId: number, days: readonly [number, number]): Promise<void> {
  const [startDate, endDate] = days.map((day) =>
    new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10),
  ) as [string, string]
  await db('events').where({ id: eventId }).update({ startDate, endDate })
  const document = JSON.stringify({ startDate, endDate })
  await db.raw(
    `update sync_log set body = (body::jsonb || ?::jsonb)::text where collection = 'events' and doc_id = ?`,
    [document, String(eventId)],
  )
}

/** Opens the people of Olivia's busiest event on a page where she is signed in. */
export async function manageBusiest(page: Page, db: Knex): Promise<BusyEvent> {
  const event = await busiestEvent(db)
  await openManage(page, event.eventId, event.pending[0])
  return event
}

/** Signs Olivia in on a device, where the people of her busiest event are before her. */
export async function openBusiest(
  { device, db }: Pick<Journey, 'device' | 'db'>,
  options: BrowserContextOptions = {},
): Promise<BusyEvent & PersonalDevice> {
  const { context, page } = await device(options)
  await signIn(page, olivia)
  return { ...(await manageBusiest(page, db)), context, page }
}

/** An organizer with so many people who wait, and Olivia's password; the longest wait is that of Bea Moss 1. */
export async function openCrowd(db: Knex, page: Page, count: number, events = 1) {
  const { userId, eventId, applicationIds: ids } = await addOrganizer(db, count, count, events)
  const { passwordHash } = (await db('users').where({ email: olivia.email }).first('passwordHash')) ?? {}
  await db('users').where({ id: userId }).update({ passwordHash })
  // By the form: a device signed in by a call is told that its browser was cleared, in a line above the list.
  await page.goto('/about')
  await signIn(page, { email: `organizer${count}@example.com`, password: olivia.password })
  await page.goto(`/events/manage/${eventId}`)
  await page.locator(`[data-row="${ids[0]}"]`).waitFor()
  await page.evaluate(() => document.fonts.ready)
  return ids
}

/** An applicant's card on the manage screen. */
export function card(page: Page, { id }: Applicant): Locator {
  return page.locator(`[data-row="${id}"]`)
}

type Verb = 'Approve' | 'Reject' | 'Revoke Approval' | 'Undo for' | 'Star' | 'View'

/** What a card offers to do about its applicant. */
export const button = (page: Page, applicant: Applicant, verb: Verb): Locator =>
  card(page, applicant).getByRole('button', { name: `${verb} ${applicant.name}`, exact: true })

/** Opens the manage screen and waits until its people are there. */
export async function openManage(page: Page, eventId: number, someone: Applicant): Promise<void> {
  await page.goto(`/events/manage/${eventId}`)
  await expect(card(page, someone)).toBeVisible()
}

/** What a card says while a change to it is on its way to the server. */
export const underWay = /saving|saved on this device|sent/

/** Waits until the server has confirmed everything about an applicant that this card shows. */
export async function expectConfirmed(page: Page, applicant: Applicant, timeout = 60_000): Promise<void> {
  await expect(card(page, applicant)).not.toContainText(underWay, { timeout })
}

/** Goes to the queue, which shows nothing of what this device was told. */
export async function expectNothingQueued(page: Page): Promise<void> {
  await page.goto('/sync')
  await expect(page.getByRole('heading', { name: 'Everything is saved online.' })).toBeVisible()
}

/** Waits until what a card shows is on the phone's disk. Before that the card says "saving", and a page that is left loses it. */
export async function expectKept(page: Page, applicant: Applicant): Promise<void> {
  await expect(card(page, applicant).getByText('saving', { exact: true })).toHaveCount(0)
}

/** Opens what one applicant wrote. */
export async function view(page: Page, applicant: Applicant): Promise<Locator> {
  await button(page, applicant, 'View').click()
  const dialog = page.getByRole('dialog', { name: applicant.name })
  await expect(dialog).toBeVisible()
  return dialog
}

/** Selects people and asks for a decision about all of them, which a sheet sums up first. */
export async function decideMany(
  page: Page,
  people: readonly Applicant[],
  verb: 'Approve' | 'Reject',
): Promise<Locator> {
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  for (const applicant of people) await card(page, applicant).getByRole('checkbox').check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: verb }).click()
  return page.getByRole('dialog')
}

/** Decides as a person does, and waits until it is kept. */
export async function decide(page: Page, applicant: Applicant, verb: 'Approve' | 'Reject'): Promise<void> {
  await button(page, applicant, verb).click()
  await expect(card(page, applicant)).toContainText(verb === 'Approve' ? 'Approved' : 'Rejected')
  await expectKept(page, applicant)
}

/** Ends the seconds in which decisions may be undone, on the disk that counts them; some journeys wait for them. */
export async function endUndoWindow(page: Page): Promise<void> {
  await rowsOnDisk(page, 'beaconry-outbox', 'entries', { state: 'held', changes: { nextAt: 0 } })
  await page.evaluate(() => dispatchEvent(new Event('online')))
}

/** What the server has of an applicant: status and decision number. */
export async function decisionOf(
  db: Knex,
  { id }: { readonly id: number },
): Promise<{ status: string; decisionNumber: number } | undefined> {
  return await db('applications').where({ id }).first('status', 'decisionNumber')
}

/** Waits until the server has decided about an applicant. */
export async function expectStatus(db: Knex, applicant: { readonly id: number }, status: string): Promise<void> {
  await expect.poll(async () => (await decisionOf(db, applicant))?.status).toBe(status)
}

/** Waits for a decision and makes sure that it happened exactly once: one number further, one row of history, one mail. */
export async function expectDecidedOnce(db: Knex, applicant: Applicant, status: string): Promise<void> {
  const number = applicant.decisionNumber + 1
  await expect.poll(() => decisionOf(db, applicant)).toEqual({ status, decisionNumber: number })
  expect(await db('application_decisions').where({ applicationId: applicant.id, decisionNumber: number })).toHaveLength(
    1,
  )
  expect(await db('jobs').where('key', 'like', `decision-mail:${applicant.id}:%`)).toHaveLength(1)
}
