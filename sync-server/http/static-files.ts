import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type Koa from 'koa'
import { acceptedEncoding, type Encoding } from './compress.ts'
import { insertHead, type PageDescription } from './pages/describe-page.ts'
import { checkoutPolicy, pagePolicy, workerPolicy } from './headers.ts'

interface StaticFile {
  readonly body: Buffer
  readonly encoded: Partial<Record<Encoding, Buffer>>
  readonly cacheControl: string
  readonly etag: string
  readonly policy?: string
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Beaconry</title>
<h1>The app is not built yet</h1><p>Run <code>npm run build</code>, then start the server again.</p></html>`

const KEPT_PAGES = 200

export interface CardPayments {
  /** An origin; null for Stripe itself. */
  readonly standIn: string | null
}

const checkoutPath = /^\/checkout(-status)?\/?$/
const checkoutFile = '/checkout.html'

export type DescribePage = (path: string) => Promise<PageDescription>

export interface Billing {
  /** Null: no checkout. */
  readonly cardPayments?: CardPayments | null
  readonly hasPlans?: boolean
}

/**
 * Serves the build from memory. `/index.html` stays as built, because the service worker keeps it; only where there are no
 * plans it says so.
 */
export function staticFiles(
  folder: string,
  describePage?: DescribePage,
  { cardPayments = null, hasPlans = true }: Billing = {},
): Koa.Middleware {
  const files = existsSync(path.join(folder, 'index.html')) ? readFiles(folder) : undefined
  if (files && !hasPlans) sayThereAreNoPlans(files)
  const shell = files?.get('/index.html')
  const built = files?.get(checkoutFile)
  files?.delete(checkoutFile)
  const checkout = built && cardPayments ? checkoutDocument(built, cardPayments) : undefined
  const shellOf = shell && describePage ? pagesFrom(shell, describePage, screenChunks(folder)) : undefined
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return await next()
    if (!files) return refuse(ctx, 503, 'text/html; charset=utf-8', NOT_BUILT)
    const file = files.get(ctx.path)
    if (file) {
      serve(ctx, file, ctx.path)
    } else if (checkout && checkoutPath.test(ctx.path)) {
      // The address may carry a payment's secret: other servers get only its origin.
      ctx.set('Referrer-Policy', 'strict-origin')
      serve(ctx, checkout, checkoutFile)
    } else if (shell && isNavigation(ctx.path)) {
      const page = await shellOf?.(ctx)
      serve(ctx, page?.file ?? shell, '/index.html', page?.status)
    } else {
      refuse(ctx, 404, 'text/plain; charset=utf-8', 'Not found')
    }
  }
}

function refuse(ctx: Koa.Context, status: number, type: string, body: string): void {
  ctx.status = status
  ctx.type = type
  ctx.set('Cache-Control', 'no-store')
  ctx.body = body
}

const hashOf = (algorithm: string, body: Buffer, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(body).digest(encoding)

/**
 * So that the app knows it in its first paint and without a network. The service worker names the shell by its hashes: with
 * others, phones that keep the former shell are offered the new one as an update.
 */
function sayThereAreNoPlans(files: Map<string, StaticFile>): void {
  const shell = files.get('/index.html')
  const worker = files.get('/service-worker.js')
  if (!shell) return
  const said = packed(shell.body.toString('utf8').replace('<html', '<html data-plans="none"'))
  files.set('/index.html', { ...shell, ...said })
  if (!worker) return
  const text = worker.body
    .toString('utf8')
    .replace(hashOf('md5', shell.body, 'hex'), hashOf('md5', said.body, 'hex'))
    .replace(hashOf('sha256', shell.body, 'base64'), hashOf('sha256', said.body, 'base64'))
  files.set('/service-worker.js', { ...worker, ...packed(text) })
}

/** A stand-in's script is written into the page; Stripe's own is fetched by name. */
function checkoutDocument(built: StaticFile, { standIn }: CardPayments): StaticFile {
  const text = built.body.toString('utf8')
  const policy = checkoutPolicy(inlineScriptHashes(text), standIn)
  if (standIn === null) return { ...built, policy }
  const script = `<script src="${standIn}/endive/stripe.js"></script>`
  return { ...built, ...packed(text.replace('</head>', () => `${script}\n  </head>`)), policy }
}

/** Without an answer from the database the plain shell: the app finds out by itself. */
function pagesFrom(shell: StaticFile, describePage: DescribePage, scriptsOf: (screen: string) => string[]) {
  const text = shell.body.toString('utf8')
  const kept = new Map<string, StaticFile>()
  return async (ctx: Koa.Context): Promise<{ file: StaticFile; status: number } | undefined> => {
    try {
      const { status, head, screen, event } = await describePage(ctx.path)
      const html = insertHead(text, head, screen === undefined ? [] : scriptsOf(screen), event)
      const file = kept.get(html) ?? { ...shell, ...packed(html) }
      kept.delete(html)
      kept.set(html, file)
      const [oldest] = kept.keys()
      if (kept.size > KEPT_PAGES && oldest !== undefined) kept.delete(oldest)
      return { file, status }
    } catch (error) {
      ctx.app.emit('error', error, ctx)
      return undefined
    }
  }
}

/** Made while a visitor waits, so less tightly than the build's. */
function packed(html: string): Pick<StaticFile, 'body' | 'encoded' | 'etag'> {
  const body = Buffer.from(html)
  return {
    body,
    encoded: {
      br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
      gzip: gzipSync(body, { level: 6 }),
    },
    etag: etagOf(body),
  }
}

function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/** A path with an ending, or in a hidden folder, was meant as a file: the shell would be cached as one. */
function isNavigation(urlPath: string): boolean {
  return !urlPath.startsWith('/assets/') && !/\.\w+$/.test(urlPath) && !isHidden(urlPath)
}

function isHidden(urlPath: string): boolean {
  return urlPath.includes('/.')
}

function serve(ctx: Koa.Context, file: StaticFile, urlPath: string, status = 200): void {
  ctx.type = urlPath.endsWith('.webmanifest') ? 'application/manifest+json' : path.extname(urlPath)
  ctx.set('Cache-Control', file.cacheControl)
  ctx.set('ETag', file.etag)
  ctx.vary('Accept-Encoding')
  if (file.policy !== undefined) ctx.set('Content-Security-Policy', file.policy)
  ctx.status = status
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const accepted = acceptedEncoding(ctx)
  const encoded = accepted && file.encoded[accepted]
  if (encoded) ctx.set('Content-Encoding', accepted)
  const { type } = ctx
  ctx.body = encoded ?? file.body
  ctx.type = type
}

function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const entry of entries) {
    if (/\.(br|gz|map)$/.test(entry.name)) continue
    const file = path.join(entry.parentPath, entry.name)
    const urlPath = `/${path.relative(folder, file).split(path.sep).join('/')}`
    if (isHidden(urlPath)) continue
    const body = readFileSync(file)
    const variant = (ending: string) => (existsSync(file + ending) ? readFileSync(file + ending) : undefined)
    const br = variant('.br')
    const gzip = variant('.gz')
    const policy = policyOf(urlPath, body)
    files.set(urlPath, {
      body,
      encoded: { ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) },
      cacheControl: cacheControl(urlPath),
      etag: etagOf(body),
      ...(policy === undefined ? {} : { policy }),
    })
  }
  return files
}

function policyOf(urlPath: string, body: Buffer): string | undefined {
  if (urlPath.endsWith('.html')) return pagePolicy(inlineScriptHashes(body.toString('utf8')))
  return urlPath === '/service-worker.js' ? workerPolicy : undefined
}

function cacheControl(urlPath: string): string {
  if (urlPath.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  if (/\.(html|js|webmanifest)$/.test(urlPath)) return 'no-cache'
  return 'public, max-age=86400'
}

export function inlineScriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)
  return [...scripts]
    .filter(([, attributes = '', text = '']) => !/\bsrc\s*=/i.test(attributes) && text !== '')
    .map(([, , text = '']) => `sha256-${createHash('sha256').update(text).digest('base64')}`)
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

/** What draws the public pages that have no script of their own. */
const readingScreens = 'app/reading-screens.ts'

/** A browser that knows a screen's scripts fetches them at once. Without a manifest there are none. */
function screenChunks(folder: string): (screen: string) => string[] {
  const list = path.join(folder, '.vite', 'manifest.json')
  const chunks: Record<string, Chunk | undefined> = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as Record<string, Chunk>)
    : {}

  function filesOf(name: string, seen: Set<string>): Set<string> {
    const chunk = chunks[name]
    if (!chunk || seen.has(chunk.file)) return seen
    seen.add(chunk.file)
    for (const imported of chunk.imports ?? []) filesOf(imported, seen)
    return seen
  }

  const everywhere = filesOf('index.html', new Set())
  return (screen) => {
    const own = Object.keys(chunks).find((chunk) => chunk.endsWith(`/${screen}-screen.tsx`))
    const needed = filesOf(own ?? readingScreens, new Set(everywhere))
    return [...needed].filter((file) => !everywhere.has(file)).map((file) => `/${file}`)
  }
}
