import { goToQuestions } from '../applications/application-form.ts'
import { expect, holdBack, olivia, signIn, test } from '../journey.ts'
import { findDemoIds } from '../screens.ts'

test.use({ serviceWorkers: 'block' })

test('a long Beacon text is folded on a phone and whole on a wide screen', async ({ page, device, db }) => {
  const { published } = await findDemoIds(db)
  await page.goto(`/events/${published}`)
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Show more/ }) })
    .first()
  const heightOf = async () => (await card.boundingBox())?.height ?? 0
  const more = card.getByRole('button', { name: /^Show more about / })
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  const folded = await heightOf()
  await more.click()
  await expect(page.getByRole('button', { name: /^Show less about / })).toHaveAttribute('aria-expanded', 'true')
  const open = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Show less/ }) })
  expect((await open.boundingBox())?.height ?? 0).toBeGreaterThan(folded + 40)

  const desk = await device({ viewport: { width: 1280, height: 800 } })
  await desk.page.goto(`/events/${published}`)
  await expect(desk.page.getByRole('heading', { name: 'Meet the Beacons' })).toBeVisible()
  await expect(desk.page.getByRole('button', { name: /^Show more/ })).toHaveCount(0)
})

test('on a phone the way to apply is on the first screen, and is the one under the incentives', async ({
  device,
  db,
}) => {
  const { published } = await findDemoIds(db)
  const { page } = await device({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.goto(`/events/${published}`)
  const apply = page.getByRole('link', { name: 'Apply to be a Beacon' })
  await expect(apply).toBeInViewport({ ratio: 1 })
  const about = page.getByRole('heading', { name: 'About this event' })
  await about.evaluate((heading) => heading.scrollIntoView({ block: 'center' }))
  const bottomOf = async (element: typeof apply) => {
    const box = (await element.boundingBox())!
    return box.y + box.height
  }
  expect(await bottomOf(apply), 'it has come to its place').toBeLessThan(await bottomOf(about))
  await page.getByRole('heading', { name: 'Meet the Beacons' }).evaluate((heading) => heading.scrollIntoView())
  await expect(apply).not.toBeInViewport()

  await db('events').where({ id: published }).update({ applicationsClosed: true })
  await db.raw(
    `update sync_log set body = jsonb_set(body::jsonb, '{applicationsClosed}', 'true')::text
     where scope = 'public' and collection = 'events' and doc_id = ?`,
    [String(published)],
  )
  await page.reload()
  await expect(page.getByText('Applications for this event are closed.')).toBeVisible()
  await expect(apply).toHaveCount(0)
})

test('an event came with its page, before its call is answered; a deleted one leaves it', async ({ page, db }) => {
  const { published } = await findDemoIds(db)
  const { name } = await db('events').where({ id: published }).first<{ name: string }>('name')
  const answer = await holdBack(page, `**/api/events/${published}`)
  await page.goto(`/events/${published}`, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await db('sync_log')
    .where({ scope: 'public', collection: 'events', docId: String(published) })
    .update({ deleted: true, body: null })
  await db('events').where({ id: published }).del()
  answer()
  await expect(page.getByRole('heading', { name: 'Event Not Found' })).toBeVisible()
})

test('an event shows what, when, where and who, and leads to the right fields', async ({ device, db }) => {
  const { published: id } = await findDemoIds(db)
  const event = (await db('events').where({ id }).first())!
  const who = (await db('applications').where({ eventId: id, status: 'approved' }).whereNotNull('company').first())!
  const { page } = await device({ viewport: { width: 1280, height: 800 } })
  await page.goto(`/events/${id}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(event.name)
  for (const text of [event.location, event.address, event.description.slice(0, 60)])
    await expect(main).toContainText(text)
  await expect(main).toContainText(/[A-Z][a-z]+ \d+.*, \d{4}/)
  const name = `${who.firstName} ${who.lastName}`
  const beacon = main.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(beacon).toContainText(`${who.firstName[0]}${who.lastName[0]}`)
  await expect(beacon).toContainText(`${who.jobTitle} at ${who.company}`)
  await expect(beacon).toContainText(who.bio.slice(0, 40))
  await expect(beacon.getByRole('link', { name: /LinkedIn/ })).toBeVisible()

  const apply = main.getByRole('link', { name: 'Apply to be a Beacon' })
  await expect(apply).toHaveAttribute('href', `/events/${id}/apply`)
  await apply.click()
  for (const [label, type] of [
    ['Email', 'email'],
    ['Phone', 'tel'],
    ['LinkedIn profile', 'url'],
  ] as const)
    await expect(page.getByLabel(label)).toHaveAttribute('type', type)
  await goToQuestions(page)
  await page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByText('You must agree to the terms').first()).toBeVisible()
})

test('one long word widens no page of an event on a narrow phone @nightly', async ({ device, db }) => {
  const { managed: id } = await findDemoIds(db)
  const { name } = await db('events').where({ id }).first<{ name: string }>('name')
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(4)
  await db('events').where({ id }).update({ name: word, location: word, city: word })
  await db.raw(`update sync_log set body = replace(body, ?, ?) where collection = 'events' and doc_id = ?`, [
    JSON.stringify(name),
    JSON.stringify(word),
    String(id),
  ])
  const { page } = await device({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
  await signIn(page, olivia)
  const wide: string[] = []
  for (const path of ['', '/apply', '/customize']) await look(`/events/${id}${path}`)
  for (const path of ['', '/poster', '/beacons']) await look(`/events/manage/${id}${path}`)
  expect(wide).toEqual([])

  async function look(path: string) {
    await page.goto(path)
    await expect(page.getByText(word).first()).toBeVisible()
    const [all, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    if (all! > 320 || seen! > 320) wide.push(`${path}: ${all} of ${seen} px`)
  }
})
