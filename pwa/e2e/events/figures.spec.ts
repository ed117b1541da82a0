import type { Page } from 'playwright/test'
import { blockedWords } from '../../../scripts/checks/built-chunks.mjs'
import { bea, fillInApplication, openEvent, submitApplication } from '../applications/application-form.ts'
import { expect, olivia, sharingTest as test, signIn } from '../journey.ts'

/** The browser of these journeys names itself headless, and is then left out. */
const userAgent =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

/** The numbers beside a way, in the table of ways. */
async function numbersOf(page: Page, way: string): Promise<number[]> {
  const table = page.getByRole('table', { name: 'Where applications come from' })
  const cells = table.getByRole('row').filter({ hasText: way }).getByRole('cell')
  return (await cells.allTextContents()).slice(0, 2).map((text) => Number(text.replace(',', '')))
}

/** Refuses what content blockers refuse, which is pings and addresses that sound like measuring readers. */
async function blockContent(page: Page): Promise<void> {
  await page.route('**', async (route, request) => {
    const isBlocked =
      request.resourceType() === 'ping' ||
      (request.resourceType() !== 'document' && blockedWords.test(new URL(request.url()).pathname))
    await (isBlocked ? route.abort('blockedbyclient') : route.continue())
  })
}

test('a guest applies by a shared link; the organizer sees it, past a content blocker', async ({
  page,
  device,
  db,
}) => {
  const { id, name } = await openEvent(db)
  await blockContent(page)
  await signIn(page, olivia)
  await page.getByRole('link', { name: 'Analytics', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Analytics' })).toBeVisible()
  await page.getByRole('table', { name: 'Across events' }).waitFor()
  const [views = 0, applications = 0] = await numbersOf(page, 'Shared link')
  await page.goto(`/events/manage/${id}`)
  const figure = (label: string) =>
    page.getByLabel('Overview').locator('div').filter({ hasText: label }).getByRole('definition')
  await expect(figure('Page views')).toHaveText(/^\d/)
  const before = Number(await figure('Page views').textContent())
  const appliedBefore = Number(await figure('Applications').textContent())

  const guest = (await device({ userAgent })).page
  await blockContent(guest)
  await guest.goto(`/events/${id}?from=share`)
  await guest.getByRole('link', { name: 'Apply to be a Beacon' }).click()
  await fillInApplication(guest, bea)
  await submitApplication(guest)
  await expect(guest.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
  await guest.getByRole('link', { name }).first().click()
  await expect(guest.getByRole('heading', { level: 1, name })).toBeVisible()

  await page.reload()
  await expect(figure('Page views'), 'one visit is one view').toHaveText(String(before + 1))
  await expect(figure('Applications')).toHaveText(String(appliedBefore + 1))
  await page.goto('/analytics')
  await expect.poll(() => numbersOf(page, 'Shared link')).toEqual([views + 1, applications + 1])
})
