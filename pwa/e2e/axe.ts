import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright/test'

interface Axe {
  run(where: Document, options: RunOptions): Promise<AxeResults>
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds on the page as it is; one line per finding. Evaluated by the browser itself, so the page's policy stays as
 * it is.
 */
export async function findings(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return await page.evaluate(async (chosen) => {
    const { axe: inPage } = window as unknown as { axe: Axe }
    const { violations } = await inPage.run(document, { resultTypes: ['violations'], ...chosen })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
    )
  }, options)
}
