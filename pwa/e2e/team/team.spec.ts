import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { busiestEvent, button, card, endUndoWindow, holdOn } from '../applications/applicants.ts'
import { textsOnDisk } from '../device-database.ts'
import { expect, goByLink, olivia, otto, signIn, submitSignIn, test, type Journey } from '../journey.ts'

/** Olivia makes an invitation; answers its address, which only that answer of the server has. */
async function invite(page: Page, role: 'Door' | 'Reviewer'): Promise<string> {
  let token = ''
  await page.route('**/api/team/invitations', async (route) => {
    const response = await route.fetch()
    token = ((await response.json()) as { token: string }).token
    await route.fulfill({ response })
  })
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite Someone' }).click()
  await page.getByRole('radio', { name: role }).check()
  await page.getByRole('button', { name: 'Make the Link' }).click()
  await expect(page.getByRole('figure', { name: 'QR code: invitation to your team' })).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  return `/team/join#${token}`
}

/** Otto, on a device of his own, accepts the invitation and has Olivia's events there. */
async function join({ device }: Pick<Journey, 'device'>, address: string) {
  const member = await device()
  await member.page.goto(address)
  await expect(member.page.getByRole('heading', { name: /asks you to help with their events/ })).toBeVisible()
  await member.page.getByRole('link', { name: 'Sign In to Join' }).click()
  await submitSignIn(member.page, otto)
  await member.page.getByRole('button', { name: 'Join the Team' }).click()
  await expect(member.page.getByRole('complementary', { name: 'Team' })).toContainText('You are helping')
  return member
}

async function openEvent(page: Page, eventId: number): Promise<void> {
  await page.goto(`/events/manage/${eventId}`)
}

const nameOfDecider = async (db: Knex, applicationId: number) =>
  (await db('application_decisions').where({ applicationId }).orderBy('decisionNumber', 'desc').first())?.deviceName

test('a reviewer decides for the organizer, and loses everything when removed', async ({ page, device, db }) => {
  const { eventId, pending } = await busiestEvent(db)
  const [first, second] = pending
  await signIn(page, olivia)
  const member = await join({ device }, await invite(page, 'Reviewer'))
  await openEvent(member.page, eventId)
  await button(member.page, first!, 'Approve').click()
  await endUndoWindow(member.page)
  await expect.poll(() => nameOfDecider(db, first!.id)).toContain('(otto)')
  await expect(member.page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
  await expect(member.page.getByLabel('Overview')).toHaveText(/^Applications\d/)
  await goByLink(member.page, `/events/edit/${eventId}`)
  await expect(member.page.getByRole('heading', { name: 'Only managers change events' })).toBeVisible()
  await member.page.goBack()

  await member.context.setOffline(true)
  await button(member.page, second!, 'Approve').click()
  await expect(card(member.page, second!)).toContainText('saved on this device')
  const { id } = await db('users').where({ email: otto.email }).first('id')
  await goByLink(member.page, `/events/manage/${eventId}?for=${id}`)
  await expect(member.page.getByRole('heading', { name: 'This event is your own' })).toBeVisible()
  await member.page.goBack()
  await expect(card(member.page, second!), 'the copy stays').toContainText('saved on this device')
  await page.goto('/team')
  await page.getByRole('button', { name: 'Remove otto' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No one helps you yet' })).toBeVisible()

  await endUndoWindow(member.page)
  await member.context.setOffline(false)
  await expect(member.page.getByText(/You are no longer on the team of .*/)).toBeVisible()
  await expect(member.page.getByRole('complementary', { name: 'Team' })).toHaveCount(0)
  await expect.poll(() => textsOnDisk(member.page)).not.toContain(first!.email)
  await member.page.goto('/sync')
  await expect(member.page.getByText('You are no longer on this organizer’s team.')).toBeVisible()
  await expect(member.page.getByText('for another organizer')).toBeVisible()
  expect(await db('applications').where({ id: second!.id }).first('status')).toEqual({ status: 'pending' })
})

test('at the door nothing but names, companies and posts is on the device', async ({ page, device, db }) => {
  const { eventId, pending, approved } = await busiestEvent(db, 'approved')
  await holdOn(db, eventId, [0, 0])
  await db('events').where({ id: eventId }).update({ posts: 'Bar\nEntrance' })
  await signIn(page, olivia)
  const { page: door, context } = await join({ device }, await invite(page, 'Door'))
  await openEvent(door, eventId)
  const beacons = door.getByRole('list', { name: 'Beacons' })
  await expect(beacons.getByRole('listitem')).toHaveCount(approved.length)
  await context.setOffline(true)
  const [bea] = approved
  await door.getByRole('button', { name: `Here today: ${bea!.name}` }).click()
  await expect(beacons.getByRole('listitem').filter({ hasText: bea!.name })).toContainText('saved on this device')
  await context.setOffline(false)
  await expect
    .poll(async () => (await db('applications').where({ id: bea!.id }).first('arrivedAt'))?.arrivedAt, {
      timeout: 20_000,
    })
    .not.toBeNull()
  const texts = await textsOnDisk(door)
  // Guests read the biography of an approved Beacon, too.
  const people = await db('applications').where({ eventId }).select('email', 'phone', 'whyBeacon', 'note')
  const secrets = people.flatMap((one) =>
    Object.values(one).filter((text): text is string => typeof text === 'string' && text.length > 3),
  )
  expect(secrets.length).toBeGreaterThan(20)
  expect(secrets.filter((secret) => texts.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([])
  expect(pending.filter(({ name }) => texts.includes(name))).toEqual([])

  const { id } = await db('users').where({ email: otto.email }).first('id')
  const own = await db('events').where({ organizerId: id }).first('id', 'name')
  await goByLink(door, `/events/manage/${own.id}?for=${id}`)
  await expect(door.getByRole('heading', { level: 1, name: own.name })).toBeVisible()
  await expect(door.getByRole('complementary', { name: 'Team' })).toHaveCount(0)
})
