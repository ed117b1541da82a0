import { encodeQR } from 'qr'
import type { Page } from 'playwright/test'
import { findings } from '../axe.ts'
import { queueRows, receiptRows } from '../device-database.ts'
import { endUndoWindow, holdOn } from './applicants.ts'
import { expect, olivia, signIn, test, type PersonalDevice } from '../journey.ts'
import { bea, fillInApplication, openEvent, openForm, submitApplication, type Volunteer } from './application-form.ts'

/** Numbers in words, which no compression shortens much: they need two codes. */
const wordy: Volunteer = {
  ...bea,
  bio: Array.from({ length: 300 }, (_, at) => ((at * 7919) % 46_656).toString(36)).join(' '),
}

/** A volunteer applies on a phone that has lost its network, and leaves the codes on its screen. */
async function showCodes({ page, context }: PersonalDevice, eventId: number, who: Volunteer): Promise<void> {
  await openForm(page, eventId)
  await context.setOffline(true)
  await fillInApplication(page, who)
  await submitApplication(page)
  await expect(page.getByRole('heading', { name: 'Saved on this device' })).toBeVisible()
  await page.getByRole('button', { name: 'Show to the Organizer' }).click()
  await expect(code(page)).toBeVisible()
}

const code = (page: Page) => page.getByRole('dialog', { name: 'Show to the organizer' }).locator('figure svg')
const photograph = async (page: Page) => await code(page).screenshot()

/** Olivia signs in on her phone, and begins to scan for an event. */
async function openScanner({ page }: PersonalDevice, eventId: number, scan = scanByMenu): Promise<void> {
  await signIn(page, olivia)
  await page.goto(`/events/manage/${eventId}`)
  await scan(page)
}

/** The menu offers it before the days of the event. */
async function scanByMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Scan an application' }).click()
}

const scanOnTheFloor = (page: Page) => page.getByRole('button', { name: 'Scan an application' }).click()
const scanner = (page: Page) => page.getByRole('dialog', { name: 'Scan an application' })
const row = (page: Page, name: string) => page.locator('[data-row]').filter({ hasText: name })

/** The page's camera sees what the answered function shows it, and nothing before. */
async function holdCamera(page: Page): Promise<(picture: Buffer) => Promise<void>> {
  await page.addInitScript(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 480 })
    const see = async (address: string) => {
      const picture = Object.assign(new Image(), { src: address })
      await picture.decode()
      canvas.getContext('2d')?.drawImage(picture, 40, 40, 400, 400)
    }
    Object.assign(window, { see })
    canvas.getContext('2d')?.fillRect(0, 0, 480, 480)
    // Frames are made of what is drawn anew.
    setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, 1, 1), 50)
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20)
  })
  return async (picture) => {
    const address = `data:image/png;base64,${picture.toString('base64')}`
    await page.evaluate(async (shown) => {
      await (window as unknown as { see(address: string): Promise<void> }).see(shown)
    }, address)
  }
}

test('two phones without a network: scanned in any order, approved at once, and stored once', async ({
  device,
  db,
}) => {
  const { id: eventId, name } = await openEvent(db)
  await holdOn(db, eventId, [0, 1])
  const volunteer = await device()
  const organizer = await device()
  const look = await holdCamera(organizer.page)
  await openScanner(organizer, eventId, scanOnTheFloor)
  await expect(scanner(organizer.page).getByText('Starting the camera...')).toHaveCount(0)
  await scanner(organizer.page).getByRole('button', { name: 'Close' }).click()
  await organizer.context.setOffline(true)
  await organizer.page.reload()
  await scanOnTheFloor(organizer.page)

  await showCodes(volunteer, eventId, wordy)
  const dialog = volunteer.page.getByRole('dialog', { name: 'Show to the organizer' })
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await expect(dialog.getByText(/Code \d of 2/)).toBeVisible()
  const later = await photograph(volunteer.page)
  await dialog.getByRole('button', { name: 'Next Code' }).click()
  const earlier = await photograph(volunteer.page)

  expect(await findings(volunteer.page)).toEqual([])

  await look(later)
  await expect(scanner(organizer.page).getByText('1 of 2 codes')).toBeVisible()
  await look(earlier)
  await expect(scanner(organizer.page).getByRole('heading', { name: 'Bea Sandoval' })).toBeFocused()
  await expect(scanner(organizer.page).getByText(`has applied for ${name}`)).toBeVisible()
  await scanner(organizer.page).getByRole('button', { name: 'Scan Another' }).click()
  await look(later)
  await expect(scanner(organizer.page).getByLabel('Camera')).toBeVisible()
  await scanner(organizer.page).getByRole('button', { name: 'Close' }).click()
  await row(organizer.page, 'Bea Sandoval').getByRole('button', { name: 'Approve' }).click()
  await organizer.page.reload()
  await expect(row(organizer.page, 'Bea Sandoval')).toContainText('Approved')
  expect((await queueRows(organizer.page)).map(({ mutation }) => mutation)).toEqual([
    'hand-in-application',
    'decide-application',
  ])

  await organizer.context.setOffline(false)
  await endUndoWindow(organizer.page)
  const stored = async () => await db('applications').where({ eventId, email: bea.email }).select('id', 'status', 'bio')
  await expect.poll(stored).toMatchObject([{ status: 'approved', bio: wordy.bio }])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(volunteer.page.getByRole('button', { name: 'Correct it' }), 'it may have left').toHaveCount(0)
  await volunteer.context.setOffline(false)
  await expect(volunteer.page.getByRole('heading', { name: 'You’re a Beacon' })).toBeVisible()
  expect(await stored()).toHaveLength(1)
  expect(await receiptRows(volunteer.page)).toHaveLength(1)
  expect(await receiptRows(organizer.page), 'the own page is the volunteer’s').toEqual([])
  expect(await db('mails').where({ eventId, toAddress: bea.email, kind: 'acknowledgement' })).toHaveLength(1)
})

test('without a camera a picture does; other codes are told apart, and whoever came first counts @nightly', async ({
  device,
  db,
}) => {
  const { id: eventId } = await openEvent(db)
  const other = await db('events').where({ organizerId: 1 }).andWhereNot({ id: eventId }).first('id')
  const volunteer = await device()
  const organizer = await device()
  await openScanner(organizer, eventId)
  const { page } = organizer
  await expect(scanner(page).getByText('There is no camera here')).toBeVisible()
  const choose = async (picture: Buffer, type = 'image/png') =>
    await scanner(page)
      .getByLabel('Picture of the code')
      .setInputFiles({ name: 'code', mimeType: type, buffer: picture })
  const codeOf = (text: string) => Buffer.from(encodeQR(text, 'gif', { scale: 4 }))
  await choose(Buffer.from('no picture'))
  await expect(scanner(page).getByText('This browser cannot open this file as a picture.')).toBeVisible()
  await choose(codeOf('https://beaconry.example/events/1?from=qr'), 'image/gif')
  await expect(scanner(page).getByText('This is not the code of an application.')).toBeVisible()
  await choose(codeOf('BEACONRY2:ABC'), 'image/gif')
  await expect(scanner(page).getByText('This code comes from a newer version of Beaconry.')).toBeVisible()
  expect(await findings(page)).toEqual([])

  await showCodes(volunteer, eventId, bea)
  const picture = await photograph(volunteer.page)
  await organizer.context.setOffline(true)
  await choose(picture)
  await expect(scanner(page).getByRole('heading', { name: 'Bea Sandoval' })).toBeFocused()
  await scanner(page).getByRole('button', { name: 'Scan Another' }).click()
  await choose(picture)
  await expect(scanner(page).getByText('is in your list already.')).toBeVisible()
  await page.goto(`/events/manage/${other?.id}`)
  await scanByMenu(page)
  await choose(picture)
  await expect(scanner(page).getByText(/This application is for .*\. Scan it on that event’s page\./)).toBeVisible()

  await volunteer.context.setOffline(false)
  const stored = async () => await db('applications').where({ eventId, email: bea.email })
  await expect.poll(async () => (await stored()).length).toBe(1)
  await organizer.context.setOffline(false)
  await expect.poll(async () => await queueRows(page)).toEqual([])
  expect(await stored()).toMatchObject([{ status: 'pending' }])
})
