import { sized } from '../../../sync-server/testing/proof-size.ts'
import { busiestEvent, expectDecidedOnce, underWay } from '../applications/applicants.ts'
import { expect } from '../journey.ts'
import { holdStorage } from './silent-storage.ts'
import { comeIn, expectCopied, expectText, rowOf, signIn, test, textOf } from '../webkit-journey.ts'

// One after the other: two of this browser at once take more than twice as long.
test.describe.configure({ mode: 'default' })

test('what is decided in WebKit without a network is shown, arrives once and settles', async ({
  webkit,
  server,
  db,
}) => {
  const { eventId, pending } = await busiestEvent(db)
  const [ana, ben] = pending
  const manage = `${server.origin}/events/manage/${eventId}`
  await signIn(webkit, server.origin)
  await webkit.open(manage)
  await expectText(webkit, 'Pending', rowOf(ana))
  await expectCopied(webkit)

  await server.kill()
  await webkit.open(manage)
  for (const one of [ana, ben]) {
    await webkit.press(`[aria-label="Approve ${one.name}"]`)
    await expectText(webkit, /Approved.*saved on this device/s, rowOf(one))
  }
  await webkit.open(manage)
  for (const one of [ana, ben]) await expectText(webkit, /Approved.*saved on this device/s, rowOf(one))

  await server.start()
  for (const one of [ana, ben]) {
    await expectDecidedOnce(db, one, 'approved')
    await expect.poll(() => textOf(webkit, rowOf(one))).not.toMatch(underWay)
    await expectText(webkit, 'Approved', rowOf(one))
  }
})

test('silent storage in WebKit hides no applicants, and keeps what is decided @nightly', async ({
  webkit,
  server,
  db,
}) => {
  const { eventId, pending } = await busiestEvent(db)
  const [ana] = pending
  await comeIn(webkit, server.origin)
  await expectCopied(webkit)
  const app = await webkit.openWindow()
  await webkit.open(`${server.origin}/licenses.txt`)
  await webkit.evaluate(holdStorage)

  const other = await webkit.goToWindow(app)
  await webkit.open(`${server.origin}/events/manage/${eventId}`)
  const opened = performance.now()
  await expectText(webkit, 'Pending', rowOf(ana))
  expect(performance.now() - opened, 'what the server answers is soon there').toBeLessThan(6_000)
  await webkit.press(`[aria-label="Approve ${ana.name}"]`)
  await expectText(webkit, /Approved.*not saved yet/s, rowOf(ana))

  await webkit.goToWindow(other)
  await webkit.evaluate(() => void Object.assign(window, { letGo: true }))
  await webkit.goToWindow(app)
  await expectDecidedOnce(db, ana, 'approved')
  await expect.poll(() => textOf(webkit, rowOf(ana))).not.toMatch(/not saved yet/)
})

/** In the full size it is repeated, because WebKit sometimes ends a transaction of a page that was left. */
const heldWrites = sized(10, 1)

test('what a page writes while WebKit leaves it keeps no other page waiting', async ({ webkit, server, db }) => {
  const { eventId, pending } = await busiestEvent(db)
  const other = await db('applications as a')
    .join('events as e', 'e.id', 'a.eventId')
    .where('e.organizerId', 1)
    .whereNot('e.id', eventId)
    .where({ 'a.status': 'pending', 'a.archived': false })
    .first('a.id', 'a.eventId')
  const places = [
    { path: `/events/manage/${eventId}`, row: rowOf(pending[0]) },
    { path: `/events/manage/${other.eventId}`, row: `[data-row="${other.id}"]` },
  ] as const
  await comeIn(webkit, server.origin)
  await webkit.open(server.origin + places[0].path)
  await expectText(webkit, 'Pending', places[0].row)
  await expectCopied(webkit)
  for (let write = 1; write <= heldWrites; write += 1) {
    // The same address again would be a reload, which WebKit treats otherwise.
    const { path, row } = places[write % 2] as (typeof places)[number]
    await webkit.evaluate(holdStorage)
    await webkit.open(server.origin + path)
    await expectText(webkit, 'Pending', row)
  }
})

/** Half of them are of the screen with the applicants. */
const opens = 80
/** After so long a page is no longer at work with what it opened for. */
const latestMs = 3_000
const openPatienceMs = 10_000

test('a page opens at whatever moment WebKit left the page before @nightly', async ({ webkit, server, db }) => {
  test.setTimeout(600_000)
  const { eventId, pending } = await busiestEvent(db)
  const typed = 'Lanterns on the Pier'
  // A star is written and sent; the first opening is in the middle of the first copy.
  const manage = { path: `/events/manage/${eventId}`, shows: rowOf(pending[0]), presses: '[aria-label^="Star "]' }
  const create = { path: '/events/create', shows: 'input[name="name"]' }
  const dashboard = { path: '/dashboard', shows: 'a[href^="/events/manage/"]' }
  const places: readonly { path: string; shows: string; presses?: string }[] = [
    manage,
    dashboard,
    manage,
    create,
    manage,
    { path: '/sync', shows: 'h1' },
  ]
  await comeIn(webkit, server.origin)
  const waits: number[] = []
  for (let open = 0; open < opens; open += 1) {
    const { path, shows, presses } = places[open % places.length] as (typeof places)[number]
    await webkit.evaluate(
      (milliseconds) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
      (open * latestMs) / opens,
    )
    const from = performance.now()
    await webkit.open(server.origin + path)
    const isThere = (selector: string) => document.querySelector(selector) !== null
    const arrived = () => webkit.evaluate(isThere, shows).catch(() => false)
    await expect.poll(arrived, { timeout: openPatienceMs, intervals: [20], message: `${path} opens` }).toBe(true)
    waits.push(Math.round(performance.now() - from))
    if (presses !== undefined) await webkit.press(presses)
    if (path === create.path) await webkit.type(shows, open < places.length ? typed : '.')
  }
  const times = `${Math.min(...waits)} to ${Math.max(...waits)} ms`
  test.info().annotations.push({ type: 'pages opened after', description: times })
  await webkit.open(`${server.origin}/events/create`)
  const name = () =>
    webkit.evaluate(() => document.querySelector<HTMLInputElement>('input[name="name"]')?.value).catch(() => '')
  await expect.poll(name, { message: 'what was typed is there' }).toContain(typed)
})
