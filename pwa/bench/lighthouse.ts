// npm run lighthouse: what Lighthouse says of the pages strangers see first, on a simulated slow phone. Needs `npm run build`.
// Ends with 1 when accessibility, best practices or SEO is under 100; performance depends on the machine and is only told.
import lighthouse from 'lighthouse'
import { chromium } from 'playwright/test'
import { createKnex } from '../../sync-server/db/knex-config.ts'
import { freePort, prepareServerProcess } from '../../sync-server/testing/server-process.ts'
import { cloneTemplate, startTemplateDatabase } from '../../sync-server/testing/template-database.ts'
import { findDemoIds } from '../e2e/screens.ts'

const must = ['accessibility', 'best-practices', 'seo'] as const
const told = ['performance'] as const
type Category = (typeof must | typeof told)[number]

const template = await startTemplateDatabase(process.env['TEST_DATABASE_URL'])
const database = await cloneTemplate(template)
const server = await prepareServerProcess({ DATABASE_URL: database.connectionString })
const port = await freePort()
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--remote-debugging-port=${port}`,
  ],
})
let missed = 0

/** What Lighthouse found; a busy machine's browser sometimes loses its own trace, so a second try is allowed. */
async function look(url: string, tries = 2): Promise<Awaited<ReturnType<typeof lighthouse>>> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...must, ...told],
  })
  return result?.lhr.runtimeError && tries > 1 ? await look(url, tries - 1) : result
}

/** Measures one page and prints its scores, the main times, and what keeps it from full marks. */
async function measure(name: string, path: string): Promise<void> {
  const result = await look(server.origin + path)
  if (!result) throw new Error(`Lighthouse said nothing about ${path}`)
  const { categories, audits, runtimeError } = result.lhr
  if (runtimeError) throw new Error(`${path}: ${runtimeError.message}`)
  const score = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100)
  const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
  const shown = [...must, ...told].map((category) => `${category} ${score(category)}`).join(', ')
  console.log(`${name}: ${shown} (${times.map((id) => `${id} ${audits[id]?.displayValue ?? '?'}`).join(', ')})`)
  for (const category of must) {
    if (score(category) === 100) continue
    missed += 1
    for (const { id, weight } of categories[category]?.auditRefs ?? []) {
      const audit = audits[id]
      if (weight === 0 || !audit || audit.score === null || audit.score === 1) continue
      console.log(`  ${category}: ${audit.title} ${JSON.stringify(audit.details ?? {}).slice(0, 1500)}`)
    }
  }
}

try {
  await server.start()
  const db = createKnex(database.connectionString)
  const { published } = await findDemoIds(db)
  await db.destroy()
  await measure('landing', '/')
  await measure('events', '/events')
  await measure('event', `/events/${published}`)
} finally {
  await browser.close()
  await server.kill()
  await database.drop()
  await template.stop()
}
if (missed > 0) process.exitCode = 1
