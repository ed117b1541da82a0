// `npm run check -- budget`, after a build: fails when a download exceeds its budget in kB (1,000 bytes) of gzip, which
// every browser gets at worst.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { filesOf, findBlockedNames, findMisplacedRxdb, findUnkeptImports, rxdbText } from './built-chunks.mjs'

const outDir = path.resolve('dist/pwa')
const limits = { firstRoute: 130_000, serviceWorker: 40_000, precache: 1_000_000, checkout: 40_000 }
const read = (file) => readFileSync(path.join(outDir, file))
const gzipped = (file) => gzipSync(read(file), { level: 9 }).length
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

const modules = JSON.parse(read('.vite/manifest.json').toString('utf8'))

const entry = 'index.html'
const screen = (name) =>
  Object.keys(modules).find((module) => module.endsWith(`/${name}-screen.tsx`)) ?? `${name}-screen.tsx`
const union = (...names) => new Set(names.flatMap((name) => [...filesOf(modules, name)]))
const sum = (files) => [...files].reduce((total, file) => total + gzipped(file), 0)

// A first visit fetches these until the network is quiet. Dexie, the queue and prefetches count apart;
// pwa/e2e/site/first-visit.spec.ts counts the same in a browser.
const registration = Object.keys(modules).filter((name) => /workbox-window/.test(name))
const firstRoute = union(entry, screen('landing'), ...registration)
const keeping = union('app/background-work.ts', 'ui/toast-stack.tsx')
const visitorPages = [entry, ...['landing', 'events', 'event-detail', 'not-found'].map(screen)]
const visitor = union('app/background-work.ts', ...visitorPages)
// What every visitor loads is not counted again.
const checkout = [...union('checkout.html')].filter((file) => !visitor.has(file))
const worker = gzipped('service-worker.js')
const workerText = read('service-worker.js').toString('utf8')
// The worker's precache list names these.
const listed = [...new Set([...workerText.matchAll(/["']?url["']?:\s*["'`]([^"'`]+)["'`]/g)].map(([, url]) => url))]
const precache = listed.reduce((total, url) => total + statSync(path.join(outDir, url)).size, 0)
// Over the wire: the text files are sent compressed.
const precacheSent = listed.reduce(
  (total, url) =>
    total + (/\.(js|css|html|svg|json|webmanifest)$/.test(url) ? gzipped(url) : statSync(path.join(outDir, url)).size),
  0,
)

const wrong = []
function within(what, bytes, limit) {
  console.log(`${what}: ${kB(bytes)} of ${kB(limit)}`)
  if (bytes > limit) wrong.push(`${what} is ${kB(bytes - limit)} over its budget`)
}
within('first visit, all JavaScript', sum(firstRoute), limits.firstRoute)
console.log(
  `  when something is kept, behind the screens: ${kB(sum([...keeping].filter((file) => !firstRoute.has(file))))}`,
)
if (registration.length === 0)
  wrong.push('the piece that registers the service worker was not found: the first visit is more than was counted')
within('service worker', worker, limits.serviceWorker)
within('precache as sent', precacheSent, limits.precache)
within('the checkout, on top of the app', sum(checkout), limits.checkout)
console.log(`  unpacked: ${kB(precache)} in ${listed.length} files`)
if (listed.length < 10) wrong.push('the precache list could not be read')

const menus = Object.keys(modules).filter((name) => /_menus-/.test(name))
if (menus.length === 0) wrong.push('the menus were not found in the build')
const scripts = readdirSync(outDir, { recursive: true }).filter((file) => file.endsWith('.js'))
const texts = new Map(scripts.map((file) => [file, read(file).toString('utf8')]))
const morePages = ['apply', 'auth'].map(screen)
const loadedByVisitors = [...visitorPages, ...morePages, 'app/background-work.ts', 'checkout.html', ...menus]
wrong.push(
  ...findMisplacedRxdb(modules, texts, { visitors: loadedByVisitors, replica: 'sync/replica/open-replica.ts' }),
)
if (!Object.values(modules).some(({ file }) => /(^|\/)opened-outbox-/.test(file)))
  wrong.push('the opened queue is no piece of its own')
for (const file of union(...visitorPages, ...morePages, screen('dashboard')))
  if (/(^|\/)opened-outbox-/.test(file)) wrong.push('a page opens the queue before anything is written')
for (const file of firstRoute) if (/(^|\/)(zod|forms|dexie)-/.test(file)) wrong.push(`a first visit downloads ${file}`)
for (const file of union('checkout.html')) if (/(^|\/)(dexie|zod)-/.test(file)) wrong.push(`the checkout loads ${file}`)
wrong.push(...findUnkeptImports(modules, new Set(listed)))
wrong.push(...findBlockedNames(scripts))
for (const file of [...visitor, ...listed])
  if (/(^|\/)(stripe|card-payment)-/.test(file)) wrong.push(`the app loads or keeps ${file}`)
for (const text of [rxdbText, 'ZodError', 'MissingAPIError'])
  if (workerText.includes(text)) wrong.push(`the service worker contains ${text}`)

for (const line of wrong) console.error(line)
process.exit(wrong.length === 0 ? 0 : 1)
