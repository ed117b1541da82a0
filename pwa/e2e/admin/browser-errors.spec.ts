import { busiestEvent } from '../applications/applicants.ts'
import { expect, readyForOffline, test } from '../journey.ts'

test('an offline error reaches the server later, counted, without contents @nightly', async ({ context, page, db }) => {
  const { eventId } = await busiestEvent(db)
  await page.goto(`/events/${eventId}`)
  await readyForOffline(page)
  await context.setOffline(true)
  await page.evaluate(() => {
    const fail = () => {
      throw new TypeError('Bea Moss is not a theme')
    }
    Object.defineProperty(document.documentElement, 'dataset', { get: fail })
  })
  for (const theme of ['Dark', 'Light']) await page.getByRole('button', { name: theme, exact: true }).click()
  await page.waitForFunction(() => localStorage.getItem('beaconry/errors')?.includes('"times":2'))
  const reported = page.waitForRequest('**/api/errors')
  await context.setOffline(false)
  const { errors } = (await reported).postDataJSON() as { errors: object[] }
  expect(errors).toMatchObject([{ name: 'TypeError', screen: '/events/:id', times: 2 }])
  expect(JSON.stringify(errors)).not.toMatch(/Bea|Moss/)
  await page.waitForFunction(() => localStorage.getItem('beaconry/errors') === null)

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Dark', exact: true }).evaluate((button: HTMLElement) => {
    for (let press = 0; press < 150; press += 1) button.click()
  })
  // A page notes a hundred, of which two have left.
  await page.waitForFunction(() => localStorage.getItem('beaconry/errors')?.includes('"times":98'))
})
