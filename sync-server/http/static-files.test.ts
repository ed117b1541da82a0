import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { securityHeaders } from './headers.ts'
import { staticFiles, type Billing, type CardPayments } from './static-files.ts'

const inline = "document.documentElement.dataset.theme = 'dark'"
const html = `<!doctype html><script>${inline}</script><script type="module" src="/assets/main-1a2b.js"></script>`
const checkout = `<!doctype html><head><script>${inline}</script></head><script type="module" src="/assets/pay-1a2b.js"></script>`
const script = 'console.info("'.padEnd(3000, 'x')
const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-static-'))
/** What a build or a person may leave beside the app. */
const hiddenFiles = [
  '.vite/manifest.json',
  '.env',
  '.git/config',
  'assets/.DS_Store',
  'assets/main-1a2b.js.map',
  '.well-known/x.txt',
]
const servers: Server[] = []

async function serve(from: string, billing: Billing = {}): Promise<string> {
  const app = new Koa()
  app.use(securityHeaders(true))
  app.use(staticFiles(from, undefined, billing))
  const server = createServer((request, response) => void app.callback()(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

mkdirSync(path.join(folder, 'assets'))
writeFileSync(path.join(folder, 'index.html'), html)
writeFileSync(path.join(folder, 'checkout.html'), checkout)
writeFileSync(path.join(folder, 'service-worker.js'), 'self.x = 1')
writeFileSync(path.join(folder, 'manifest.webmanifest'), '{}')
writeFileSync(path.join(folder, 'icon.png'), 'png')
writeFileSync(path.join(folder, 'assets', 'main-1a2b.js'), script)
writeFileSync(path.join(folder, 'assets', 'main-1a2b.js.br'), brotliCompressSync(script))
writeFileSync(path.join(folder, 'assets', 'main-1a2b.js.gz'), gzipSync(script))
for (const hidden of hiddenFiles) {
  mkdirSync(path.dirname(path.join(folder, hidden)), { recursive: true })
  writeFileSync(path.join(folder, hidden), 'hidden')
}
writeFileSync(path.join(folder, '..', 'beaconry-secret.txt'), 'secret')
let origin = await serve(folder)
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true })
  rmSync(path.join(folder, '..', 'beaconry-secret.txt'))
})

const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(origin + url, { headers })
  return { status: answer.status, text: await answer.text(), header: (name: string) => answer.headers.get(name) }
}

it.each([
  ['/events/12).?from=qr', '/events/12?from=qr'],
  ['/events/12&fbclid=a.b', '/events/12'],
  ['/faq,', '/faq'],
])('a link that a chat has changed is led to its page: %s', async (changed, page) => {
  const answer = await fetch(origin + changed, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, page])
})

it.each(['//evil.example)', '//)', '/nothing-here)'])('and no other is led anywhere: %s', async (address) => {
  expect((await fetch(origin + address, { redirect: 'manual' })).headers.get('location')).toBeNull()
})

describe('where there are no plans', () => {
  const kept = mkdtempSync(path.join(os.tmpdir(), 'beaconry-shell-'))
  const shell = '<!doctype html><html lang="en"><head></head></html>'
  const digests = (text: string) => [
    createHash('md5').update(text).digest('hex'),
    createHash('sha256').update(text).digest('base64'),
  ]
  beforeAll(() => {
    writeFileSync(path.join(kept, 'index.html'), shell)
    writeFileSync(path.join(kept, 'service-worker.js'), JSON.stringify(['index.html', ...digests(shell)]))
  })
  afterAll(() => rmSync(kept, { recursive: true }))

  it('every shell says so, also the one that phones keep, which the worker names anew', async () => {
    const from = await serve(kept, { hasPlans: false })
    const text = async (url: string) => await (await fetch(from + url)).text()
    const said = '<!doctype html><html data-plans="none" lang="en"><head></head></html>'
    expect([await text('/index.html'), await text('/dashboard')]).toEqual([said, said])
    expect(JSON.parse(await text('/service-worker.js'))).toEqual(['index.html', ...digests(said)])
  })

  it('and none says so elsewhere', async () => {
    const from = await serve(kept)
    expect(await (await fetch(`${from}/index.html`)).text()).toBe(shell)
  })
})

describe('the checkout document', () => {
  const at = async (url: string, cardPayments: CardPayments | null) => {
    const answer = await fetch((await serve(folder, { cardPayments })) + url)
    return { status: answer.status, text: await answer.text(), header: (name: string) => answer.headers.get(name) }
  }

  it.each(['/checkout?planId=2', '/checkout/', '/checkout-status?payment_intent=pi_1'])(
    "is at %s where cards are charged, with the provider's script, calls and frames alone",
    async (url) => {
      const { text, header } = await at(url, { standIn: null })
      expect([text, header('cache-control'), header('referrer-policy')]).toEqual([
        checkout,
        'no-cache',
        'strict-origin',
      ])
      const hash = createHash('sha256').update(inline).digest('base64')
      expect(header('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        `script-src 'self' 'sha256-${hash}' https://js.stripe.com https://*.js.stripe.com`,
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self' https://api.stripe.com",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      ])
    },
  )

  it('is nowhere where no card is charged: the app is there, without the provider', async () => {
    for (const url of ['/checkout', '/checkout-status']) {
      const { text, header } = await at(url, null)
      expect([text, header('content-security-policy')?.includes('stripe')]).toEqual([html, false])
    }
    expect((await at('/checkout.html', null)).status).toBe(404)
  })

  it('is under no other address, and lets the app stay without the provider', async () => {
    expect((await at('/checkout.html', { standIn: null })).status).toBe(404)
    const { text, header } = await at('/pricing', { standIn: null })
    expect([text, header('content-security-policy')?.includes('stripe')]).toEqual([html, false])
  })

  it('takes the script of a stand-in on this machine, which answers its frames and calls too', async () => {
    const standIn = 'http://127.0.0.1:12111'
    const { text, header } = await at('/checkout', { standIn })
    expect(text).toContain(`<script src="${standIn}/endive/stripe.js"></script>`)
    const policy = header('content-security-policy')?.split('; ') ?? []
    for (const directive of ['script-src', 'connect-src', 'frame-src'])
      expect(policy.find((part) => part.startsWith(`${directive} `))).toContain(` ${standIn}`)
  })
})

describe('the built app', () => {
  it('lets the service worker fetch what it keeps: a worker obeys the policy of its own script', async () => {
    const { header } = await get('/service-worker.js')
    expect(header('content-security-policy')).toContain("connect-src 'self'")
  })

  it.each(['/', '/events', '/events/12', '/events/manage/12', '/nothing-here'])(
    'is the shell at %s, asked for again each time',
    async (url) => {
      const { status, text, header } = await get(url)
      expect([status, text, header('cache-control'), header('content-type')]).toEqual([
        200,
        html,
        'no-cache',
        'text/html; charset=utf-8',
      ])
    },
  )

  it('allows only its own scripts and the one written into the page', async () => {
    const policy = (await get('/events')).header('content-security-policy')
    const hash = createHash('sha256').update(inline).digest('base64')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('is sent as the build compressed it: accepting %s gets %s', async (accepted, encoding) => {
    const { text, header } = await get('/assets/main-1a2b.js', { 'accept-encoding': accepted })
    expect([text, header('content-encoding'), header('vary')]).toEqual([script, encoding, 'Accept-Encoding'])
    expect(header('content-type')).toMatch(/javascript/)
    expect(header('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('has no shell in place of a missing asset or file', async () => {
    for (const url of ['/assets/main-old.js', '/assets/', '/robots.txt', '/x.png'])
      expect((await get(url)).status, url).toBe(404)
  })

  it('gives away nothing outside its folder', async () => {
    for (const url of ['/../beaconry-secret.txt', '/%2e%2e/beaconry-secret.txt', '/..%2fbeaconry-secret.txt']) {
      expect((await get(url)).text, url).not.toContain('secret')
    }
  })

  it.each([...hiddenFiles, '.git/HEAD', 'events/.hidden', '.well-known/nothing'])(
    'does not give out %s',
    async (file) => {
      const { status, text } = await get(`/${file}`)
      expect([status, text]).toEqual([404, 'Not found'])
    },
  )

  it('lets the worker and the manifest be asked for again, without sending them twice', async () => {
    const { header } = await get('/service-worker.js')
    expect([header('cache-control'), (await get('/manifest.webmanifest')).header('content-type')]).toEqual([
      'no-cache',
      'application/manifest+json; charset=utf-8',
    ])
    expect(
      (await get('/service-worker.js', { 'if-none-match': header('etag') ?? '', 'cache-control': 'max-age=0' })).status,
    ).toBe(304)
  })

  it('says so plainly when it was not built', async () => {
    origin = await serve(path.join(folder, 'assets'))
    const { status, text } = await get('/')
    expect([status, text.includes('npm run build')]).toEqual([503, true])
  })
})
