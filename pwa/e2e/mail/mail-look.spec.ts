import { sized } from '../../../sync-server/testing/proof-size.ts'
import { findings } from '../axe.ts'
import { expect, test } from '../journey.ts'
import { writeMails, type WrittenMail } from './written-mails.ts'

/** The narrowest phone, most phones, and a window beside a list of mails. */
const widths = [320, 390, 600]

const themes = sized(['light', 'dark'] as const, ['light'] as const)

/** Only a page of a site needs them. */
const rules = { region: { enabled: false }, 'landmark-one-main': { enabled: false } }

/** The words of the text part, piece by piece, without what stands there only because it is text. */
function wordsOf({ message }: WrittenMail): string[] {
  return message.text
    .split('\n')
    .flatMap((line) => line.split(/: (?=https:|\S)|^ {2}\(was: |\)$/))
    .map((piece) => piece.replace(/\s+/g, ' ').trim())
    .filter((piece) => piece !== '' && piece !== '--' && !piece.startsWith('https:'))
}

/** What is not found in a text one after the other. */
function missingIn(text: string, pieces: readonly string[]): string[] {
  let from = 0
  return pieces.filter((piece) => {
    const at = text.indexOf(piece, from)
    if (at >= 0) from = at + piece.length
    return at < 0
  })
}

/** A mail without any style, as some readers show it. */
const withoutStyle = (html: string) =>
  html.replace(/<style>[\s\S]*?<\/style>/, '').replace(/ (?:style|class|bgcolor|width)="[^"]*"/g, '')

// No server runs on this database: it would send what is being written.
test('every mail reads well on a phone and in a window, and without style', async ({ browser, db }) => {
  const page = await browser.newPage()
  const asked: string[] = []
  await page.route('**/*', async (route) => {
    asked.push(route.request().url())
    await route.abort()
  })
  for (const mail of await writeMails(db)) {
    const { name, message } = mail
    await page.setContent(message.html)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      for (const width of widths) {
        const where = `${name}, ${colorScheme}, ${width} px`
        await page.setViewportSize({ width, height: 800 })
        const { scrollWidth, ground, heights } = await page.evaluate(() => ({
          scrollWidth: document.documentElement.scrollWidth,
          ground: getComputedStyle(document.body).backgroundColor,
          heights: [...document.links].map((link) => link.getBoundingClientRect().height),
        }))
        expect(scrollWidth, where).toBeLessThanOrEqual(width)
        expect(ground, where).toBe(colorScheme === 'dark' ? 'rgb(10, 14, 27)' : 'rgb(246, 243, 235)')
        expect(heights.length, where).toBeGreaterThan(0)
        expect(Math.min(...heights), where).toBeGreaterThanOrEqual(40)
      }
      await page.setViewportSize({ width: 390, height: 800 })
      expect(await findings(page, { rules }), `${name}, ${colorScheme}`).toEqual([])
    }
    const bare = withoutStyle(message.html)
    expect(bare).not.toContain('style=')
    await page.setContent(bare)
    const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ')
    expect(missingIn(text, wordsOf(mail)), name).toEqual([])
    expect(text, name).toContain('Beaconry')
    expect(asked, name).toEqual([])
  }
  await page.close()
})
