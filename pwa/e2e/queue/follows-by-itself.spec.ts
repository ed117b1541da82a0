import { card, decide, openManage, openBusiest } from '../applications/applicants.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test('a tab in sight gets the news though the one that followed is frozen @nightly', async ({ device, db }) => {
  const { context, page: first, eventId, pending } = await openBusiest({ device, db })
  const [ana, ben] = pending
  const second = await context.newPage()
  await openManage(second, eventId, ana)
  const desk = await device()
  await signIn(desk.page, olivia)
  await openManage(desk.page, eventId, ana)

  await decide(desk.page, ana, 'Approve')
  await expect(card(second, ana), 'while both live, news arrive').toContainText('Approved')

  const session = await context.newCDPSession(first)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await decide(desk.page, ben, 'Reject')
  await expect(card(second, ben)).toContainText('Rejected')

  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(card(first, ben), 'the frozen one catches up').toContainText('Rejected')
})

test('Sync now brings the news to the tab it is pressed in, and says when that was', async ({ device, db }) => {
  const { context } = await openBusiest({ device, db })
  const other = await context.newPage()
  await other.goto('/sync')
  await expect(other.getByText(/Up to date at/)).toBeVisible()
  let pulls = 0
  other.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/sync/pull')) pulls += 1
  })
  await other.getByRole('button', { name: 'Sync now' }).click()
  await expect(other.getByRole('status').filter({ hasText: 'Done.' })).toBeAttached()
  expect(pulls, 'every collection was asked for').toBeGreaterThanOrEqual(3)

  await context.setOffline(true)
  await other.getByRole('button', { name: 'Sync now' }).click()
  await expect(other.getByText(/No connection.*Up to date at/)).toBeVisible()
})
