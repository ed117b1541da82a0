import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { articlePath, articles } from '#shared/site/articles.ts'
import { publicPages } from '#shared/site/pages.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { setTestServer } from '../../testing/test-server.ts'
import { inlineScriptHashes } from '../static-files.ts'

const origin = 'https://beaconry.example'
const shell = `<!doctype html><html lang="en-US"><head>
    <title>Beaconry</title>
    <meta
      name="description"
      content="Generic."
    />
    <script>document.documentElement.dataset.theme = 'dark'</script>
  </head><body><div id="root"></div></body></html>`
/** The build's list: a page, what every page loads, and screens that come later. */
const build = {
  'index.html': { file: 'assets/index-1.js', imports: ['_kit.js'] },
  '_kit.js': { file: 'assets/kit-1.js' },
  '_day.js': { file: 'assets/day-1.js', imports: ['_kit.js'] },
  'events/event-detail-screen.tsx': { file: 'assets/event-1.js', imports: ['index.html', '_day.js'] },
  'app/reading-screens.ts': { file: 'assets/reading-1.js', imports: ['_kit.js'] },
}
const hostile = `"><script>alert(1)</script>$&\u2028<!--`

const stage = await setOrganizerStage()
const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-pages-'))
writeFileSync(path.join(folder, 'index.html'), shell)
mkdirSync(path.join(folder, '.vite'))
writeFileSync(path.join(folder, '.vite', 'manifest.json'), JSON.stringify(build))
afterAll(() => rmSync(folder, { recursive: true }))
let now = new Date('2026-03-01T12:00:00Z')

const server = await setTestServer({
  db: stage.db,
  staticFolder: folder,
  config: { publicOrigin: origin },
  now: () => now,
})

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(server.origin + url, { headers })
  return { status: answer.status, text: await answer.text(), header: (name: string) => answer.headers.get(name) }
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** What a preview reads of a page: the title, and each meta tag by its name. */
function headOf(html: string): Record<string, string> {
  const tags: Record<string, string> = { title: unescaped(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '') }
  for (const [, name = '', content = ''] of html.matchAll(
    /<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"\s*\/>/g,
  )) {
    expect(tags[name], `${name} is there once`).toBeUndefined()
    tags[name] = unescaped(content)
  }
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]
  return canonical === undefined ? tags : { ...tags, canonical }
}

const toldBy = (text: string): unknown =>
  JSON.parse(/<script type="application\/json" id="told-event">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')

const factsOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

describe('the head of a public page', () => {
  it.each(publicPages.map(({ path }) => path))('names %s once, in full and in words of its own', async (url) => {
    const { status, text } = await get(url)
    const head = headOf(text)
    expect(status).toBe(200)
    expect(head).toMatchObject({
      canonical: origin + url,
      'og:url': origin + url,
      'og:title': head['title'],
      'og:description': head['description'],
      'og:type': 'website',
      'og:image': `${origin}/link-preview.png`,
      'twitter:card': 'summary_large_image',
    })
    expect(head['robots']).toBeUndefined()
    expect(head['description']?.length).toBeGreaterThan(50)
  })

  it('no two pages have the same title or description', async () => {
    for (const key of ['title', 'description'] as const) {
      const all = [...publicPages, ...articles].map((page) => page[key])
      expect(new Set(all).size).toBe(all.length)
    }
  })

  it('an article says when it was published', async () => {
    const [article] = articles
    const { text } = await get(articlePath(article!.slug))
    expect(headOf(text)).toMatchObject({ 'og:type': 'article', canonical: origin + articlePath(article!.slug) })
    expect(factsOf(text)).toMatchObject({ '@type': 'BlogPosting', datePublished: article!.publishedDate })
  })

  it('does not depend on a query, which may hold a secret', async () => {
    expect((await get('/events?application=secret')).text).not.toContain('secret')
  })
})

const foundersNight = {
  name: 'Founders Night',
  startDate: '2026-03-07',
  endDate: '2026-03-07',
  startTime: '18:00',
  endTime: '21:30',
}

describe('the head of an event', () => {
  it('says what, when and where, in its own time zone', async () => {
    const event = await stage.publish(foundersNight)
    const { text } = await get(`/events/${event.id}`)
    const head = headOf(text)
    expect(head['title']).toBe('Founders Night · Beaconry')
    expect(head['description']).toContain('March 7, 2026, 6:00 PM – 9:30 PM CST')
    expect(head).toMatchObject({
      canonical: `${origin}/events/${event.id}`,
      'og:image': `${origin}/events/${event.id}/preview.png`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': expect.stringMatching(/^Founders Night\. March 7, 2026, 6:00 PM – 9:30 PM CST, /),
      'twitter:card': 'summary_large_image',
    })
    expect(factsOf(text)).toMatchObject({
      '@type': 'Event',
      name: 'Founders Night',
      startDate: '2026-03-07T18:00:00-06:00',
      endDate: '2026-03-07T21:30:00-06:00',
      location: { '@type': 'Place', address: { '@type': 'PostalAddress', addressRegion: 'Illinois' } },
    })
  })

  it('is text, whatever the event is called', async () => {
    const event = await stage.publish({ name: hostile, description: hostile, location: hostile })
    const { text, header } = await get(`/events/${event.id}`)
    expect(text).not.toContain('<script>alert')
    expect(headOf(text)['title']).toBe(`${hostile} · Beaconry`)
    expect(factsOf(text)).toMatchObject({ name: hostile, description: hostile })
    const scripts = [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
    const told = '<script type="application/json" id="told-event">'
    expect(scripts).toEqual(['<script type="application/ld+json">', '<script>', told])
    expect(toldBy(text)).toMatchObject({ name: hostile, description: hostile, location: hostile })
    expect(header('content-security-policy'), 'only the scripts of the shell may run').toContain(
      `script-src 'self' '${inlineScriptHashes(shell)[0]}';`,
    )
  })

  it('a missing event is missing for search engines too, and so is every address nobody lives at', async () => {
    for (const url of ['/events/999999', '/events/999999/apply', '/nowhere', '/blog/nothing', '/events/9999999999']) {
      const { status, text, header } = await get(url)
      expect([status, headOf(text)['robots'], header('content-type')], url).toEqual([
        404,
        'noindex',
        'text/html; charset=utf-8',
      ])
      expect(text).toContain('<div id="root">')
    }
  })

  it('brings the event as its call answers it for guests, and goes with it', async () => {
    const event = await stage.publish({ promoCode: 'CANARY-CODE', beaconInstructions: 'CANARY-DOOR' })
    const { body: asked } = await stage.run('getEvent', { params: { id: event.id } })
    const views = [`/events/${event.id}`, `/events/${event.id}/apply`]
    for (const url of views) expect(toldBy((await get(url)).text), url).toEqual(asked)
    const urls = [...views, `/events/${event.id}.ics`]
    for (const url of urls) {
      const { status, text } = await get(url)
      expect([status, text.includes('CANARY')], url).toEqual([200, false])
    }
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })
    for (const url of urls) expect((await get(url)).status, url).toBe(404)
  })
})

it.each(['/dashboard', '/profile', '/admin', '/events/create', '/events/manage/1', '/events/edit/1', '/sync'])(
  'pages for one person are none for search engines: %s',
  async (url) => {
    const { status, text } = await get(url)
    expect([status, headOf(text)['robots'], headOf(text)['canonical']]).toEqual([200, 'noindex', undefined])
  },
)

describe('the shell behind every page', () => {
  it('is kept by the service worker as it was built', async () => {
    expect((await get('/index.html')).text).toBe(shell)
  })

  it.each(['br', 'gzip', 'identity'])('reaches the browser whole, accepting %s', async (encoding) => {
    const { text, header } = await get('/about', { 'accept-encoding': encoding })
    expect(text).toContain('<title>About · Beaconry</title>')
    expect(header('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
    expect(header('vary')).toBe('Accept-Encoding')
  })

  it('is not sent twice, and is sent again when the event has changed', async () => {
    const event = await stage.publish({ name: 'Before' })
    const url = `/events/${event.id}`
    const etag = (await get(url)).header('etag') ?? ''
    const asked = () => get(url, { 'if-none-match': etag, 'cache-control': 'max-age=0' })
    expect((await asked()).status).toBe(304)
    expect(etag).not.toBe((await get('/events')).header('etag'))
    await stage
      .db('sync_log')
      .where({ scope: 'public', collection: 'events', docId: String(event.id) })
      .update({ body: stage.db.raw(`replace(body, 'Before', 'After')`) })
    expect(await asked()).toMatchObject({ status: 200, text: expect.stringContaining('After · Beaconry') })
  })
})

const announced = (text: string) =>
  [...text.matchAll(/<link rel="modulepreload"[^>]* href="([^"]+)"/g)].map(([, href]) => href)

it('announces the scripts of a screen without those of every page, on public pages alone', async () => {
  const event = await stage.publish()
  expect(announced((await get(`/events/${event.id}`)).text)).toEqual(['/assets/event-1.js', '/assets/day-1.js'])
  expect(announced((await get('/about')).text)).toEqual(['/assets/reading-1.js'])
  for (const url of ['/index.html', '/dashboard', '/nowhere']) expect(announced((await get(url)).text), url).toEqual([])
})

describe('files for machines', () => {
  it('a calendar gets the event by its address', async () => {
    const event = await stage.publish(foundersNight)
    const { status, text, header } = await get(`/events/${event.id}.ics`)
    expect([status, header('content-type'), header('content-disposition')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      'attachment; filename="founders-night.ics"',
    ])
    expect(text).toContain('DTSTART:20260308T000000Z\r\n')
    expect(text).toContain(`URL:${origin}/events/${event.id}\r\n`)
    expect(text).toContain('SEQUENCE:1\r\n')
    const again = { 'if-none-match': header('etag') ?? '', 'cache-control': 'max-age=0' }
    expect((await get(`/events/${event.id}.ics`, again)).status).toBe(304)
    expect((await get('/events/999999.ics')).status).toBe(404)
  })

  it('the sitemap names every public page, each article and what is coming up, in full', async () => {
    const coming = await stage.publish({ startDate: '2026-03-07', endDate: '2026-03-07' })
    await stage.publish({ startDate: '2026-02-01', endDate: '2026-02-01' })
    now = new Date(now.getTime() + 120_000)
    const { text, header } = await get('/sitemap.xml')
    expect(header('content-type')).toBe('application/xml; charset=utf-8')
    const named = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
    expect(named).toEqual([
      ...publicPages.map(({ path }) => origin + path),
      ...articles.map(({ slug }) => origin + articlePath(slug)),
      `${origin}/events/${coming.id}`,
    ])
  })

  it('robots find the sitemap and may read noindex; without a contact there is no security.txt', async () => {
    const { text } = await get('/robots.txt')
    expect(text).toContain(`Sitemap: ${origin}/sitemap.xml`)
    expect(text.match(/Disallow: .*/g)).toEqual(['Disallow: /api/'])
    expect((await get('/.well-known/security.txt')).status).toBe(404)
  })
})
