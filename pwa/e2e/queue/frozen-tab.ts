import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright/test'

const answerMs = 2_000

const answers = (page: Page) =>
  Promise.race([page.evaluate(() => true).catch(() => false), delay(answerMs).then(() => false)])

/**
 * Stops the process that draws a page, as a phone does with a tab that it has frozen.
 * @param others have processes of their own, and go on
 * @returns lets it go on
 * @throws when no process is this page's alone
 */
export async function freeze(page: Page, others: readonly Page[]): Promise<() => void> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The browser is gone')
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
    process.kill(id, 'SIGSTOP')
    const goOn = () => void process.kill(id, 'SIGCONT')
    const isStill = !(await answers(page))
    if (isStill && (await Promise.all(others.map(answers))).every(Boolean)) return goOn
    goOn()
  }
  throw new Error('The page shares its process with another one')
}
