// node --import tsx pwa/bench/lighthouse.ts: what Lighthouse says of the pages strangers see first, on a simulated slow phone. Needs `npm run build`.
// Ends with 1 when accessibility, best practices or SEO is under 100; performance depends on the machine and is only told.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chromium } from 'playwright/test'
import { createKnex } from '../../sync-server/db/knex-config.ts'
import { freePort, prepareServerProcess } from '../../sync-server/testing/server-process.ts'
import { cloneTemplate, startTemplateDatabase } from '../../sync-server/testing/template-database.ts'
import { findDemoIds } from '../e2e/screens.ts'

const must = ['accessibility', 'best-practices', 'seo'] as const
const told = ['performance'] as const
type Category = (typeof must | typeof told)[number]

/** What is read of the program's report. */
interface Report {
  readonly runtimeError?: { readonly message: string }
  readonly categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  readonly audits: Record<string, { title: string; score: number | null; displayValue?: string; details?: unknown }>
}

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

/**
 * What Lighthouse found; a busy machine's browser sometimes loses its own trace, so a second try is allowed. The program is
 * fetched when it is asked for, because it would be a sixth of all that an install brings.
 */
async function look(url: string, tries = 2): Promise<Report> {
  const args = [
    '--yes',
    'lighthouse@12.8.2',
    url,
    `--port=${port}`,
    '--output=json',
    '--quiet',
    '--no-enable-error-reporting',
    `--only-categories=${[...must, ...told].join()}`,
  ]
  // With an error of the page it ends with 1, and has written its report nevertheless.
  const { stdout } = await promisify(execFile)('npx', args, { maxBuffer: 2 ** 26 }).catch((error) => {
    if (error.stdout) return error
    throw error
  })
  const report: Report = JSON.parse(stdout)
  return report.runtimeError && tries > 1 ? await look(url, tries - 1) : report
}

/** Measures one page and prints its scores, the main times, and what keeps it from full marks. */
async function measure(name: string, path: string): Promise<void> {
  const { categories, audits, runtimeError } = await look(server.origin + path)
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
