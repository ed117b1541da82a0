import type { Page } from 'playwright/test'
import { decodeQR } from 'qr/decode.js'
import { openEvent } from '../applications/application-form.ts'
import { expect, sharingTest as test } from '../journey.ts'

test.use({ viewport: { width: 390, height: 844 } })

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

test('a guest passes an event on: as a link, as a code, through the phone, into a calendar', async ({
  device,
  db,
  server,
}) => {
  const { id, name } = await openEvent(db)
  const address = `${server.origin}/events/${id}`
  const { page, context } = await device(mayCopy)
  await page.goto(`/events/${id}`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied').first()).toBeVisible()
  expect(await copied(page)).toBe(address)

  await page.getByRole('button', { name: 'Show QR code' }).click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  expect(await readCode(page)).toBe(address)
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
