import { expect, goByLink, sharingTest as test, signIn } from '../journey.ts'
import { absentTexts, findSeenIds, readTexts, viewers } from './seen-screens.ts'

test('what each person reads on each screen is what the specification says', async ({ device, server, db }) => {
  const missing: string[] = []
  const ids = await findSeenIds(db)
  for (const viewer of viewers) {
    const { page } = await device({ viewport: { width: 1280, height: 800 } })
    if ('comeIn' in viewer) await signIn(page, await viewer.comeIn(server.origin))
    else await page.goto('/')
    for (const screen of viewer.screens(ids)) {
      await goByLink(page, screen.path)
      await page.getByText(screen.until).filter({ visible: true }).first().waitFor()
      await screen.act?.(page)
      const absent = async () => absentTexts(await page.evaluate(readTexts), screen)
      // A screen comes in parts: what is there is there at last.
      await expect
        .poll(absent)
        .toEqual([])
        .catch(() => undefined)
      missing.push(...(await absent()).map((text) => `${screen.path}: ${text}`))
      if (await page.getByRole('alertdialog').isVisible()) await page.keyboard.press('Escape')
    }
  }
  expect(missing).toEqual([])
})
