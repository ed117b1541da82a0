import type { Page } from 'playwright/test'
import { decodeQR } from 'qr/decode.js'
import { openEvent } from '../applications/application-form.ts'
import { expect, holdBack, olivia, sharingTest as test, signIn } from '../journey.ts'
import { createEvent } from './event-form.ts'

const mayCopy = { permissions: ['clipboard-read', 'clipboard-write'] }
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** What a camera reads of the code in the dialog that is open. */
async function readCode(page: Page): Promise<string> {
  const drawing = page.getByRole('dialog').locator('figure svg')
  await drawing.waitFor()
  const { data, width, height } = await drawing.evaluate(async (svg) => {
    const picture = new Image()
    picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
    await picture.decode()
    const canvas = new OffscreenCanvas(500, 500)
    const paper = canvas.getContext('2d')!
    paper.fillStyle = 'white'
    paper.fillRect(0, 0, 500, 500)
    paper.drawImage(picture, 0, 0, 500, 500)
    return { data: [...paper.getImageData(0, 0, 500, 500).data], width: 500, height: 500 }
  })
  return decodeQR({ data: Uint8Array.from(data), width, height })
}

test('a guest passes an event on: link, code, the phone’s sheet, calendar', async ({ device, db, server }) => {
  const { id, name } = await openEvent(db)
  const address = `${server.origin}/events/${id}?from=share`
  const { page, context } = await device(mayCopy)
  await page.goto(`/events/${id}`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied').first()).toBeVisible()
  expect(await copied(page)).toBe(address)

  await page.getByRole('button', { name: 'Show QR code' }).click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  expect(await readCode(page)).toBe(address.replace('share', 'qr'))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Show QR code' })).toBeFocused()

  await page.evaluate(() => {
    Object.assign(navigator, { share: async (what: ShareData) => Object.assign(document.body.dataset, what) })
  })
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  expect(await page.evaluate(() => ({ ...document.body.dataset }))).toMatchObject({ title: name, url: address })

  const calendars = page.getByRole('button', { name: 'Google or Outlook' })
  await calendars.focus()
  await page.keyboard.press('Enter')
  const google = page.getByRole('menuitem', { name: /^Google Calendar/ })
  await expect(google).toHaveAttribute('href', /^https:\/\/calendar\.google\.com\/calendar\/render\?action=TEMPLATE&/)
  const outlook = page.getByRole('menuitem', { name: /^Outlook at work/ })
  await expect(outlook).toHaveAttribute('href', /^https:\/\/outlook\.office\.com\/calendar\/0\/deeplink\/compose\?/)
  await context.route('https://calendar.google.com/**', async (route) => await route.fulfill({ body: 'A calendar' }))
  const opened = context.waitForEvent('page')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect((await opened).url()).toContain(`text=${encodeURIComponent(name)}`)
  await expect(calendars).toBeFocused()

  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('no')) }))
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText(`The link is ${address}`).first()).toBeVisible()
})

test('an organizer gets the link once the event is online, and wherever it is empty @nightly', async ({
  device,
  server,
}) => {
  const { page } = await device(mayCopy)
  await signIn(page, olivia)
  const send = await holdBack(page, '**/api/sync/mutations')
  const id = await createEvent(page, { name: 'Lighthouse Supper' })
  const address = `${server.origin}/events/${id}?from=share`
  const waiting = page.getByRole('region', { name: 'Your event is saved on this device' })
  await expect(waiting).toContainText('It is online as soon as it has been sent.')
  await expect(waiting.getByRole('link')).toHaveCount(0)
  send()
  const card = page.getByRole('region', { name: 'Your event is online' })
  await expect(card.getByRole('link')).toHaveAttribute('href', `/events/${id}`)
  const preview = await page.request.get(`/events/${id}/preview.png`)
  expect(preview.headers()['content-type'], 'the link has a picture').toBe('image/png')
  await card.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => copied(page)).toBe(address)
  await card.getByRole('button', { name: 'Show QR code' }).click()
  expect(await readCode(page)).toBe(address.replace('share', 'qr'))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await expect(page.getByRole('heading', { name: 'No Beacon Applications' })).toBeVisible()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => copied(page)).toBe(address)
  await page.goto(`/events/${id}/customize`)
  await expect(page.getByRole('heading', { name: 'Customize' })).toBeVisible()
  await expect(page.getByText('Your event is online')).toHaveCount(0)

  await page.goto(`/events/${id}`)
  const bar = page.getByRole('navigation', { name: 'Your event' })
  await expect(bar.getByRole('link', { name: 'Manage' })).toHaveAttribute('href', `/events/manage/${id}`)
  await expect(bar.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', `/events/edit/${id}`)
  expect((await bar.boundingBox())?.height, 'one line').toBeLessThan(60)
  await page.evaluate(() => {
    Object.assign(navigator, { share: () => Promise.reject(new DOMException('closed', 'AbortError')) })
    return navigator.clipboard.writeText('')
  })
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.evaluate(() => Object.assign(navigator, { share: () => Promise.reject(new Error('not here')) }))
  expect(await copied(page), 'the phone’s sheet was only closed').toBe('')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect.poll(() => copied(page)).toBe(address)
})
