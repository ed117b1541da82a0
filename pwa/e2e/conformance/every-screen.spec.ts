import { busiestEvent } from '../applications/applicants.ts'
import { expect, goByLink, sharingTest as test } from '../journey.ts'
import { readTexts, viewers } from './seen-screens.ts'

test('what each person reads on each screen is what the specification says', async ({ device, db }) => {
  const { eventId: busy } = await busiestEvent(db)
  const { id: quiet } = await db('events')
    .where({ organizerId: 1 })
    .andWhere('endDate', '>', db.raw('current_date'))
    .whereNotExists(db('applications').whereRaw('applications.event_id = events.id'))
    .first('id')
  const missing: string[] = []
  for (const { comeIn, screens } of viewers({ busy, quiet })) {
    const { page } = await device({ viewport: { width: 1280, height: 800 } })
    await comeIn(page)
    for (const { path, until, act, texts, parts } of screens) {
      await goByLink(page, path)
      await page.getByText(until).filter({ visible: true }).first().waitFor()
      await act?.(page)
      const absent = async () => {
        const read = await readTexts(page)
        const all = [...read].join('\n')
        return [...texts.filter((text) => !read.has(text)), ...parts.filter((text) => !all.includes(text))]
      }
      // A screen comes in parts: what is there is there at last.
      await expect
        .poll(absent)
        .toEqual([])
        .catch(() => undefined)
      missing.push(...(await absent()).map((text) => `${path}: ${text}`))
      if (await page.getByRole('alertdialog').isVisible()) await page.keyboard.press('Escape')
    }
  }
  expect(missing).toEqual([])
})
