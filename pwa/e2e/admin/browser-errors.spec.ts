import { headers } from '#shared/contract/request.ts'
import { busiestEvent } from '../applications/applicants.ts'
import { ada, expect, readyForOffline, signIn, test } from '../journey.ts'

test('an offline error reaches an admin later, counted, without contents', async ({ context, page, device, db }) => {
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
  expect(await db('browser_errors')).toEqual([])
  await context.setOffline(false)
  await page.waitForFunction(() => localStorage.getItem('beaconry/errors') === null)

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Dark', exact: true }).evaluate((button: HTMLElement) => {
    for (let press = 0; press < 150; press += 1) button.click()
  })
  // A page notes a hundred, of which two have left.
  await page.waitForFunction(() => localStorage.getItem('beaconry/errors')?.includes('"times":98'))

  const admin = await device({ serviceWorkers: 'block' })
  await signIn(admin.page, ada)
  await admin.page.goto('/admin')
  await admin.page.getByRole('tab', { name: 'Errors of pages' }).click()
  const errors = admin.page.getByRole('list', { name: 'Errors of pages' }).getByRole('listitem')
  await expect(errors).toHaveCount(1)
  await expect(errors).toContainText('TypeError on /events/:id')
  await expect(errors).toContainText('2 times')
  await errors.getByText('Where in the code').click()
  await expect(errors.getByText(/^([\w-]+\.js:\d+:\d+\s*)+$/)).toBeVisible()
  expect(JSON.stringify(await db('browser_errors'))).not.toMatch(/Bea|Moss/)
})

test('a failure of the server shows the number to read out', async ({ device, db }) => {
  const { page } = await device({ serviceWorkers: 'block' })
  await signIn(page, ada)
  await page.goto('/admin')
  await db.raw('alter table browser_errors rename to laid_aside')
  const answered = page.waitForResponse('**/api/admin/browser-errors')
  await page.getByRole('tab', { name: 'Errors of pages' }).click()
  const answer = await answered
  expect(answer.status()).toBe(500)
  const number = (await answer.headerValue(headers.requestId))?.slice(0, 8)
  const panel = page.getByRole('tabpanel', { name: 'Errors of pages' })
  await expect(panel).toContainText('The list of errors could not be loaded')
  await expect(panel).toContainText(`tell the people who run this site this number: ${number}`)

  await db.raw('alter table laid_aside rename to browser_errors')
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(panel).toContainText('No page has broken lately')
})
