import { card, decide, openManage, openBusiest } from '../applications/applicants.ts'
import { expect, olivia, signIn, test } from '../journey.ts'
import { freeze } from './frozen-tab.ts'

test.use({ timings: { leaderQuestionMs: 1_000 } })

test('a tab in sight gets the news though the one that followed is frozen @nightly', async ({ device, db }) => {
  // A worker may live in the process that is stopped, and would answer no page then.
  const here = { serviceWorkers: 'block' } as const
  const { context, page: first, eventId, pending } = await openBusiest({ device, db }, here)
  const [ana, ben] = pending
  const second = await context.newPage()
  await openManage(second, eventId, ana)
  const desk = await device()
  await signIn(desk.page, olivia)
  await openManage(desk.page, eventId, ana)

  await decide(desk.page, ana, 'Approve')
  await expect(card(second, ana), 'while both live, news arrive').toContainText('Approved')

  await first.evaluate(() => {
    const ticks = { count: 0 }
    setInterval(() => (ticks.count += 1), 100)
    Object.assign(window, { ticks })
  })
  const ticks = () => first.evaluate(() => (window as never as { ticks: { count: number } }).ticks.count)
  const before = await ticks()
  const goOn = await freeze(first, [second])
  const frozenAt = performance.now()
  await decide(desk.page, ben, 'Reject')
  await expect(card(second, ben), 'the one in sight takes the lead').toContainText('Rejected')

  const frozenTicks = (performance.now() - frozenAt) / 100
  goOn()
  expect((await ticks()) - before, 'its timers stood still').toBeLessThan(frozenTicks / 2)
  await expect(card(first, ben), 'the frozen one catches up').toContainText('Rejected')
})

test('Sync now without a connection says so, and up to when the device has all @nightly', async ({ device, db }) => {
  const { context, page } = await openBusiest({ device, db })
  await page.goto('/sync')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Sync now' }).click()
  await expect(page.getByText(/No connection.*Up to date at/)).toBeVisible()
})
