import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { send } from '@koa/send'
import type Koa from 'koa'
import { mendedPath } from '#shared/site/mended-address.ts'
import { addressOf } from '#shared/site/pages.ts'
import { insertHead, type PageDescription } from './pages/describe-page.ts'
import { checkoutPolicy, pagePolicy, workerPolicy } from './headers.ts'

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Beaconry</title>
<h1>The app is not built yet</h1><p>Run <code>npm run build</code>, then start the server again.</p></html>`

export interface CardPayments {
  /** This is an origin; null means Stripe itself. */
  readonly standIn: string | null
}

const checkoutPath = /^\/checkout(-status)?\/?$/

type ServePage = (ctx: Koa.Context, page: TextFile, type: string) => void | Promise<void>

export type DescribePage = (path: string) => Promise<PageDescription>

export interface Billing {
  /** Null means that there is no checkout. */
  readonly cardPayments?: CardPayments | null
  readonly hasPlans?: boolean
}

/** Holds a text of the build that is read once. */
interface TextFile {
  readonly text: string
  readonly policy: string
}

const YEAR_MS = 31_536_000_000
const DAY_MS = 86_400_000
/** The build leaves these next to the files themselves. */
const notServed = /\.(br|gz|map)$|^\/checkout\.html$/

/**
 * Serves the build: its pages and its service worker as texts, everything else from the folder, as the build compressed
 * it. `/index.html` stays as built, because the service worker keeps it; only where there are no plans it says so.
 */
export function staticFiles(
  folder: string,
  describePage?: DescribePage,
  { cardPayments = null, hasPlans = true }: Billing = {},
): Koa.Middleware {
  const read = (name: string) => {
    const file = path.join(folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  const built = read('index.html')
  const shell = built && (hasPlans ? built : sayThereAreNoPlans(built))
  const worker = read('service-worker.js')
  const checkout = read('checkout.html')
  const texts = new Map<string, TextFile>()
  const shellPage = shell ? page(shell) : undefined
  if (shellPage) texts.set('/index.html', shellPage)
  if (worker) texts.set('/service-worker.js', { text: renamed(worker, built, shell), policy: workerPolicy })
  const checkoutPage = checkout && cardPayments ? checkoutDocument(checkout, cardPayments) : undefined
  const serveShell: ServePage = describePage ? describedBy(describePage, screenChunks(folder)) : serve

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return await next()
    if (!shellPage) return refuse(ctx, 503, 'text/html; charset=utf-8', NOT_BUILT)
    const text = texts.get(ctx.path)
    if (text) return serve(ctx, text, path.extname(ctx.path))
    if (checkoutPage && checkoutPath.test(ctx.path)) {
      // The address may carry a payment's secret: other servers get only its origin.
      ctx.set('Referrer-Policy', 'strict-origin')
      return serve(ctx, checkoutPage, 'html')
    }
    const pathname = mendedPath(ctx.path)
    // The redirect stays on this host: `//` would begin the name of another one.
    const isKnown = !pathname.startsWith('//') && addressOf(pathname).kind !== 'unknown'
    if (pathname !== ctx.path && isKnown) return ctx.redirect(pathname + ctx.search)
    if (isNavigation(ctx.path)) return await serveShell(ctx, shellPage, 'html')
    if (notServed.test(ctx.path) || !(await sendFile(ctx, folder)))
      refuse(ctx, 404, 'text/plain; charset=utf-8', 'Not found')
  }
}

function describedBy(describePage: DescribePage, scriptsOf: (screen: string) => string[]): ServePage {
  return async (ctx, shell, type) => {
    const described = await describePage(ctx.path).catch((error: unknown) => {
      // Without an answer from the database the plain shell is sent: the app finds out itself.
      ctx.app.emit('error', error, ctx)
    })
    if (!described) return serve(ctx, shell, type)
    const { status, head, screen, event } = described
    const scripts = screen === undefined ? [] : scriptsOf(screen)
    serve(ctx, { ...shell, text: insertHead(shell.text, head, scripts, event) }, type, status)
  }
}

/** @returns false where there is no such file */
async function sendFile(ctx: Koa.Context, root: string): Promise<boolean> {
  const isHashed = ctx.path.startsWith('/assets/')
  const isManifest = ctx.path.endsWith('.webmanifest')
  ctx.type = isManifest ? 'application/manifest+json' : path.extname(ctx.path)
  ctx.vary('Accept-Encoding')
  try {
    const sent = await send(ctx, ctx.path, {
      root,
      setHeaders: (response) => {
        const age = isHashed ? YEAR_MS : DAY_MS
        const kept = `public, max-age=${age / 1000}${isHashed ? ', immutable' : ''}`
        response.setHeader('Cache-Control', isManifest ? 'no-cache' : kept)
      },
    })
    if (sent === undefined) return false
  } catch (error) {
    if ((error as { status?: number }).status !== undefined) return false
    throw error
  }
  if (ctx.fresh) ctx.status = 304
  return true
}

function refuse(ctx: Koa.Context, status: number, type: string, body: string): void {
  ctx.status = status
  ctx.type = type
  ctx.set('Cache-Control', 'no-store')
  ctx.body = body
}

const hashOf = (algorithm: string, text: string, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(text).digest(encoding)

/** The app then knows it in its first paint and without a network. */
const sayThereAreNoPlans = (shell: string) => shell.replace('<html', '<html data-plans="none"')

/**
 * The service worker names the shell by its hashes: with others, phones that keep the former shell are offered the new
 * one as an update.
 */
function renamed(worker: string, built = '', shell = ''): string {
  return worker
    .replace(hashOf('md5', built, 'hex'), hashOf('md5', shell, 'hex'))
    .replace(hashOf('sha256', built, 'base64'), hashOf('sha256', shell, 'base64'))
}

const page = (text: string): TextFile => ({ text, policy: pagePolicy(inlineScriptHashes(text)) })

/** A stand-in's script is written into the page; Stripe's own is fetched by name. */
function checkoutDocument(built: string, { standIn }: CardPayments): TextFile {
  const policy = checkoutPolicy(inlineScriptHashes(built), standIn)
  if (standIn === null) return { text: built, policy }
  const script = `<script src="${standIn}/endive/stripe.js"></script>`
  return { text: built.replace('</head>', () => `${script}\n  </head>`), policy }
}

/** A path with an ending, or in a hidden folder, was meant as a file: the shell would be cached as one. */
function isNavigation(urlPath: string): boolean {
  return !urlPath.startsWith('/assets/') && !/\.\w+$/.test(urlPath) && !isHidden(urlPath)
}

function isHidden(urlPath: string): boolean {
  return urlPath.includes('/.')
}

function serve(ctx: Koa.Context, { text, policy }: TextFile, type: string, status = 200): void {
  ctx.type = type
  ctx.set('Cache-Control', 'no-cache')
  ctx.set('Content-Security-Policy', policy)
  ctx.etag = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  ctx.status = status
  if (ctx.fresh) ctx.status = 304
  else ctx.body = text
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

/** This draws the public pages that have no script of their own. */
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
