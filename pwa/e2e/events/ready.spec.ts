import type { Knex } from 'knex'
import type { BrowserContext, Page } from 'playwright/test'
import { nextMessage, test as alertedTest } from '../alerts/push-journey.ts'
import { busiestEvent, button, expectKept, holdOn, openManage } from '../applications/applicants.ts'
import { findings } from '../axe.ts'
import { queueRows, rowsOnDisk, textsOnDisk } from '../device-database.ts'
import { expect, olivia, setClock, signIn, test, type PersonalDevice } from '../journey.ts'

const line = (page: Page, title: string) =>
  page.getByRole('list', { name: 'What is checked' }).getByRole('listitem').filter({ hasText: title })

/** Olivia's busiest event is tomorrow. */
async function setStage(db: Knex) {
  const event = await busiestEvent(db)
  await holdOn(db, event.eventId, [1, 1])
  return event
}

async function check(page: Page, eventId: number): Promise<void> {
  await page.goto(`/events/manage/${eventId}/ready`)
  await page.getByRole('button', { name: 'Check now' }).click()
  // The last line.
  await expect(line(page, 'Rehearsal without a network')).not.toContainText(/Not checked yet|Checking/, {
    timeout: 60_000,
  })
}

/** The headless shell promises nothing: what the browser of an installed app answers is put in its place. */
async function promiseStorage(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    StorageManager.prototype.persisted = () => Promise.resolve(true)
  })
}

const countRows = async (db: Knex) =>
  await Promise.all(['applications', 'application_decisions', 'jobs'].map(async (table) => (await db(table)).length))

/** Requests of the device that send changes. */
function followMutations({ context }: Pick<PersonalDevice, 'context'>): string[] {
  const sent: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/api/sync/mutations')) sent.push(request.postData() ?? '')
  })
  return sent
}

test('a ready device says so, and its rehearsal leaves no trace', async ({ page, context, db }) => {
  const { eventId, name } = await setStage(db)
  await promiseStorage(context)
  await signIn(page, olivia)
  // The demo's other events come within the window as days pass: the link is asked for by its event.
  await expect(page.getByRole('link', { name: `Not checked: Ready for the floor: ${name}` })).toBeVisible()
  const before = await countRows(db)
  const sent = followMutations({ context })
  await check(page, eventId)
  for (const [title, text] of [
    ['This event on this device', /The same as on the server, with \d+ applications/],
    ['Storage', 'there is room'],
    ['Clock', 'the same time as the server'],
    ['Unsent changes', 'Everything you changed is saved online'],
    ['App version', 'This is the newest version'],
    ['Opening without a network', 'All of the app is on this device'],
    ['Rehearsal without a network', 'saved an approval on this device and took it back'],
  ] as const) {
    await expect(line(page, title)).toContainText(text)
    await expect(line(page, title)).toContainText('Good:')
  }
  await expect(line(page, 'Alerts'), 'the headless shell has none').toContainText('Look at this:')
  await expect(page.getByText(/^Ready, 1 warning, checked /)).toBeVisible()
  expect(await findings(page)).toEqual([])

  expect(sent).toEqual([])
  expect(await queueRows(page)).toEqual([])
  expect(await textsOnDisk(page)).not.toContain('an invented applicant')
  expect(await countRows(db)).toEqual(before)

  await page.reload()
  await expect(page.getByText(/^Ready, 1 warning, checked /), 'it is kept').toBeVisible()
  await page.goto(`/events/manage/${eventId}`)
  await expect(page.getByRole('link', { name: /Ready for the floor Ready, 1 warning/ })).toBeVisible()
  await page.getByRole('switch', { name: 'People can apply' }).click()
  await expect(page.getByRole('link', { name: /Check again: the event was changed since/ })).toBeVisible()
})

test('without a network each line says what it cannot know, and the rehearsal works @nightly', async ({
  page,
  context,
  db,
}) => {
  const { eventId, pending } = await setStage(db)
  await signIn(page, olivia)
  await openManage(page, eventId, pending[0])
  await context.setOffline(true)
  await button(page, pending[0], 'Approve').click()
  await page.getByText('saved on this device').first().waitFor()
  await check(page, eventId)
  await expect(line(page, 'This event on this device')).toContainText('No network:')
  await expect(line(page, 'Clock')).toContainText('No network:')
  await expect(line(page, 'App version')).toContainText('No network:')
  await expect(line(page, 'Unsent changes')).toContainText('1 change waits.')
  await expect(line(page, 'Opening without a network')).toContainText('All of the app is on this device')
  await expect(line(page, 'Rehearsal without a network')).toContainText('took it back')
  await expect(line(page, 'Storage').getByRole('button', { name: 'Keep It Safe' })).toBeVisible()
  await expect(page.getByText(/^Partly checked: 6 warnings, checked /)).toBeVisible()
  await line(page, 'Unsent changes').getByRole('link', { name: 'See the changes' }).click()
  await expect(page.getByRole('heading', { name: '1 change on its way' })).toBeVisible()
})

test('copy, storage, queue and files each fail for their own reason, and are repaired', async ({
  page,
  context,
  db,
}) => {
  const { eventId, pending } = await setStage(db)
  await context.addInitScript(() => {
    const full = { usage: 99_000_000, quota: 100_000_000 }
    StorageManager.prototype.estimate = async () => full
  })
  await signIn(page, olivia)
  await openManage(page, eventId, pending[0])
  await context.setOffline(true)
  await button(page, pending[0], 'Approve').click()
  await expectKept(page, pending[0])
  const refusal = {
    status: 409,
    problem: { code: 'conflict', message: 'Decided elsewhere.' },
    at: '2026-11-20T18:00:00Z',
  }
  await rowsOnDisk(page, 'beaconry-outbox', 'entries', { changes: { state: 'parked', refusal } })
  await context.setOffline(false)
  await page.evaluate(async () => {
    const name = (await caches.keys()).find((one) => one.includes('precache'))
    const cache = await caches.open(name!)
    await cache.delete((await cache.keys()).find(({ url }) => url.includes('admin-screens'))!)
  })
  await page.route('**/api/sync/summary*', async (route) => {
    const answer = await route.fetch()
    const summary = await answer.json()
    await route.fulfill({ json: { ...summary, version: summary.version + 1 }, headers: answer.headers() })
  })
  await check(page, eventId)
  for (const [title, text] of [
    ['This event on this device', 'The server has changes that are not on this device yet.'],
    ['Storage', 'This device is full.'],
    ['Unsent changes', '1 change needs your attention.'],
    ['Opening without a network', '1 file of the app is missing on this device.'],
  ] as const) {
    await expect(line(page, title)).toContainText(text)
    await expect(line(page, title), title).toContainText('Fix this:')
  }
  await page.unroute('**/api/sync/summary*')
  await line(page, 'This event on this device').getByRole('button', { name: 'Sync now' }).click()
  await expect(line(page, 'This event on this device')).toContainText('The same as on the server')
  await line(page, 'Opening without a network').getByRole('button', { name: 'Load Them' }).click()
  await expect(line(page, 'Opening without a network')).toContainText('All of the app is on this device.')
})

test('a clock ten minutes fast is named with its repair @nightly', async ({ page, context, db }) => {
  const { eventId } = await setStage(db)
  await setClock(context, 600_000)
  await signIn(page, olivia)
  await check(page, eventId)
  await expect(line(page, 'Clock')).toContainText('10 minutes fast. Turn on automatic date and time')
  await expect(page.getByText(/^Not ready: 1 problem, checked /)).toBeVisible()
})

test('a rehearsal whose page dies is removed and never sent @nightly', async ({ page, context, db }) => {
  const { eventId } = await setStage(db)
  await signIn(page, olivia)
  const sent = followMutations({ context })
  await page.goto(`/events/manage/${eventId}/ready`)
  await page.getByRole('button', { name: 'Check now' }).waitFor()
  await page.evaluate(() => {
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('The page died', 'AbortError')
    }
  })
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect.poll(async () => (await queueRows(page)).map(({ rehearsal }) => rehearsal)).toEqual([true])
  const next = await context.newPage()
  await page.close()
  await next.goto('/dashboard')
  await expect.poll(() => queueRows(next), 'when its undo window has ended').toEqual([])
  expect(sent).toEqual([])
  expect(await textsOnDisk(next)).not.toContain('an invented applicant')
})

alertedTest('a test alert that arrives makes its line green @nightly', async ({ page, alerted, pushService, db }) => {
  const { eventId } = await setStage(db)
  await page.goto(`/events/manage/${eventId}/ready`)
  await page.getByRole('button', { name: 'Check now' }).click()
  await alerted.deliver(await nextMessage(pushService, alerted.endpoint))
  await expect(line(page, 'Alerts')).toContainText(/A test alert arrived after \d+ second/)
  await expect(line(page, 'Alerts')).toContainText('Good:')
  await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible()
})
