import { card, decide, openBusiest } from '../applications/applicants.ts'
import { expect, test } from '../journey.ts'

const reloads = 50

test('a row that was decided without a network never shows as pending again @nightly', async ({
  device,
  server,
  db,
}) => {
  test.setTimeout(600_000)
  const { page, pending } = await openBusiest({ device, db })
  const decided = pending.slice(0, 2)
  await server.kill()
  await page.reload()
  for (const applicant of decided) await decide(page, applicant, 'Approve')
  // Each state of the page is looked at, from before anything is drawn.
  await page.addInitScript(
    (ids) => {
      const seen: string[] = []
      Object.assign(window, { seenPending: seen })
      new MutationObserver(() => {
        for (const id of ids) {
          const text = document.querySelector<HTMLElement>(`[data-row="${id}"]`)?.textContent ?? ''
          if (text.includes('Pending')) seen.push(text)
        }
      }).observe(document, { subtree: true, childList: true, characterData: true })
    },
    decided.map(({ id }) => id),
  )
  for (let reload = 0; reload < reloads; reload += 1) {
    await page.reload()
    for (const applicant of decided) await expect(card(page, applicant)).toContainText('saved on this device')
    expect(await page.evaluate(() => (window as unknown as { seenPending: string[] }).seenPending)).toEqual([])
  }
})
