import type { Page } from 'playwright/test'
import {
  button,
  card,
  endUndoWindow,
  expectKept,
  holdOn,
  openManage,
  type Applicant,
} from '../applications/applicants.ts'
import { fillInApplication, openEvent, submitApplication } from '../applications/application-form.ts'
import { apiOf, applyByCall, decideByCall } from '../client.ts'
import { queueRows } from '../device-database.ts'
import {
  ada,
  expect,
  olivia,
  otto,
  readyForOffline,
  signIn,
  test,
  type Journey,
  type PersonalDevice,
} from '../journey.ts'

const firstNames = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'] as const

/** A member's device, with the organizer's event before them. */
async function memberDevice(
  { device, server }: Pick<Journey, 'device' | 'server'>,
  who: typeof otto,
  role: 'reviewer' | 'door',
): Promise<PersonalDevice> {
  const organizer = await apiOf(server.origin, olivia)
  const { token } = (await (await organizer('/api/team/invitations', { role })).json()) as { token: string }
  const member = await device()
  await signIn(member.page, who)
  await member.page.goto(`/team/join#${token}`)
  await member.page.getByRole('button', { name: 'Join the Team' }).click()
  await expect(member.page.getByRole('complementary', { name: 'Team' })).toBeVisible()
  return member
}

async function takeIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Walk-in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a walk-in' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(dialog).toHaveCount(0)
}

async function decideOffline(page: Page, applicant: Applicant, verb: 'Approve' | 'Reject'): Promise<void> {
  await button(page, applicant, verb).click()
  await expectKept(page, applicant)
}

test('a night without a network loses, doubles and mails nothing wrong @nightly', async ({ device, server, db }) => {
  test.setTimeout(360_000)
  // 5:30 PM: three Beacons are approved, eight people wait, and everybody is at the venue.
  const { id: eventId } = await openEvent(db)
  await holdOn(db, eventId, [0, 1])
  const apply = async (firstName: string) => {
    const email = `${firstName.toLowerCase()}@night.example`
    const { id, token } = await applyByCall(server.origin, eventId, { firstName, lastName: 'Night', email })
    return { id, token, email, name: `${firstName} Night`, decisionNumber: 0 }
  }
  const waiting = await Promise.all(firstNames.map(apply))
  const beacons = await Promise.all(['Uma', 'Vic', 'Wes'].map(apply))
  const organizer = await apiOf(server.origin, olivia)
  for (const { id } of beacons) await decideByCall(organizer, id, 'approved')
  const [ann, ben, cleo, dan, eve, finn, gus, hal] = waiting as [Applicant, ...Applicant[]] & typeof waiting
  const organizerDevice = async () => {
    const one = await device()
    await signIn(one.page, olivia)
    await openManage(one.page, eventId, ann!)
    return one
  }
  const reviewerDevice = async () => {
    const one = await memberDevice({ device, server }, otto, 'reviewer')
    await openManage(one.page, eventId, ann!)
    return one
  }
  const doorDevice = async () => {
    const one = await memberDevice({ device, server }, ada, 'door')
    await one.page.goto(`/events/manage/${eventId}`)
    await expect(one.page.getByRole('list', { name: 'Beacons' })).toContainText('Uma Night')
    return one
  }
  const guestDevice = async ({ token }: { token: string }) => {
    const one = await device()
    await one.page.goto(`/events/${eventId}/apply#application=${token}`)
    await expect(one.page.getByRole('button', { name: 'I can’t come' })).toBeVisible()
    return one
  }
  const newcomerDevice = async (first: string) => {
    const one = await device()
    await one.page.goto(`/events/${eventId}/apply`)
    const words = { expertise: 'Organ building.', bio: 'I listen for the one who is quietly out of tune.' }
    await fillInApplication(one.page, { first, last: 'Night', email: `${first.toLowerCase()}@night.example`, ...words })
    return one
  }
  const [phone, tablet, reviewer, door] = await Promise.all([
    organizerDevice(),
    organizerDevice(),
    reviewerDevice(),
    doorDevice(),
  ])
  const guests = await Promise.all(beacons.map(guestDevice))
  const newcomers = await Promise.all(['Xia', 'Yan', 'Zoe'].map(newcomerDevice))
  const devices = [phone, tablet, reviewer, door, ...guests, ...newcomers]
  await Promise.all(devices.map(({ page }) => readyForOffline(page)))

  // 6:10 PM: the network is gone.
  for (const { context } of devices) await context.setOffline(true)
  await decideOffline(phone.page, ann!, 'Approve')
  await decideOffline(phone.page, ben!, 'Reject')
  await takeIn(phone.page, 'Wanda Walker')
  const panel = phone.page.getByRole('region', { name: 'Messages' })
  await panel.getByRole('button', { name: 'Write' }).click()
  const dialog = phone.page.getByRole('dialog', { name: 'Message to Beacons' })
  await dialog.getByLabel('Message', { exact: true }).fill('The doors open at six.')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await decideOffline(tablet.page, cleo!, 'Approve')
  await decideOffline(tablet.page, dan!, 'Reject')
  await decideOffline(tablet.page, eve!, 'Approve')
  await button(tablet.page, eve!, 'Undo for').click()
  await decideOffline(reviewer.page, finn!, 'Approve')
  await decideOffline(reviewer.page, gus!, 'Reject')
  await decideOffline(reviewer.page, ann!, 'Reject')
  await button(reviewer.page, hal!, 'View').click()
  await reviewer.page.getByRole('textbox', { name: 'Private note' }).fill('Speaks Spanish')
  await reviewer.page.getByRole('button', { name: 'Save Note' }).click()
  await reviewer.page.keyboard.press('Escape')
  for (const name of ['Uma Night', 'Vic Night'])
    await door.page.getByRole('button', { name: `Here today: ${name}` }).click()
  await takeIn(door.page, 'Will Walker')
  await guests[0]!.page.goto(`/events/${eventId}/here`)
  await guests[0]!.page.getByRole('button', { name: 'I’m here' }).click()
  await guests[2]!.page.getByRole('button', { name: 'I can’t come' }).click()
  for (const { page } of newcomers) {
    await submitApplication(page)
    await expect(page.getByText('it will be sent automatically').first()).toBeVisible()
  }
  for (const { page } of devices) await endUndoWindow(page)
  const made = 16

  // 9:40 PM: it is back.
  await Promise.all(devices.map(({ context }) => context.setOffline(false)))
  for (const { page } of devices) await page.evaluate(() => dispatchEvent(new Event('online')))
  const left = async () => {
    const queues = await Promise.all(devices.map(({ page }) => queueRows(page)))
    return queues.flat().map(({ state }) => state)
  }
  await expect
    .poll(left, { timeout: 90_000, message: 'all has arrived but for one of two opposite decisions' })
    .toEqual(['parked'])

  // 11:00 PM: what the server has.
  const loser = (await queueRows(phone.page)).length > 0 ? phone.page : reviewer.page
  await loser.goto('/sync')
  await expect(loser.getByRole('list', { name: 'Needs attention' })).toContainText(
    loser === phone.page ? '(otto)' : /Chrome on|Linux/,
  )
  await loser.getByRole('button', { name: /^Keep (Approved|Rejected): Ann Night/i }).click()
  const statusOf = async ({ id }: Applicant) => (await db('applications').where({ id }).first('status'))?.status
  expect(await Promise.all([ben!, cleo!, dan!, eve!, finn!, gus!, hal!].map(statusOf))).toEqual([
    'rejected',
    'approved',
    'rejected',
    'pending',
    'approved',
    'rejected',
    'pending',
  ])
  const night = await db('applications').where({ eventId }).whereLike('email', '%@night.example').orderBy('email')
  const decisions = await db('application_decisions').whereIn(
    'applicationId',
    night.map(({ id }) => id),
  )
  expect(
    decisions.filter(({ applicationId }) => applicationId === ann!.id),
    'one of the two',
  ).toHaveLength(1)
  expect(night.filter(({ firstName }) => ['Xia', 'Yan', 'Zoe'].includes(firstName))).toHaveLength(3)
  expect(night.find(({ id }) => id === hal!.id)?.note).toBe('Speaks Spanish')
  expect(night.filter(({ arrivedAt }) => arrivedAt !== null).map(({ firstName }) => firstName)).toEqual(['Uma', 'Vic'])
  expect(night.find(({ firstName }) => firstName === 'Wes')?.coming).toBe(false)
  const walkIns = await db('applications').where({ eventId, walkedIn: true }).orderBy('lastName').pluck('firstName')
  expect(walkIns.sort()).toEqual(['Wanda', 'Will'])
  expect(await db('messages').where({ eventId }).pluck('body')).toEqual(['The doors open at six.'])

  const mails = await db('mails')
    .where({ eventId })
    .whereNot({ state: 'cancelled' })
    .whereLike('toAddress', '%@night.example')
    .select('kind', 'toAddress')
  const kinds = (kind: string) =>
    mails
      .filter((mail) => mail.kind === kind)
      .map(({ toAddress }) => toAddress)
      .sort()
  const decided = night.filter(({ status }) => status !== 'pending').map(({ email }) => email)
  expect(kinds('decision'), 'one for each who was decided').toEqual(decided.sort())
  expect(kinds('acknowledgement'), 'one for each who applied').toEqual(night.map(({ email }) => email).sort())
  expect(new Set(kinds('message')).size, 'none twice').toBe(kinds('message').length)
  for (const { page } of [phone, tablet, reviewer]) {
    await page.goto(`/events/manage/${eventId}`)
    for (const [applicant, words] of [
      [cleo, 'Approved'],
      [gus, 'Rejected'],
    ] as const)
      await expect(card(page, applicant!)).toContainText(words)
  }
  process.stdout.write(
    `the night: ${made} changes made on ${devices.length} devices, 0 lost, 0 doubled, ${mails.length} mails, 0 wrong\n`,
  )
})
