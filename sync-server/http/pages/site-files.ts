import { endsAt, mayBeUpcoming } from '../../db/event-end.ts'
import type { Knex } from 'knex'
import type Koa from 'koa'
import { createHash } from 'node:crypto'
import { calendarFile, calendarFileName } from '#shared/events/calendar.ts'
import { articlePath, articles } from '#shared/site/articles.ts'
import { planAddress, publicPages, type PublicPage } from '#shared/site/pages.ts'
import type { SiteParts } from './describe-page.ts'

/** sitemaps.org limits one file to this. */
const maxAddresses = 50_000
/** No client may make the database list everything over and over. */
const keptMs = 60_000

interface SiteMapParts extends Pick<SiteParts, 'db' | 'publicOrigin'> {
  readonly hasPlans: boolean
  readonly now: () => Date
}

/** `/robots.txt` and `/sitemap.xml` hold absolute addresses and so cannot be files of the build. */
export function siteMap({ db, publicOrigin, hasPlans, now }: SiteMapParts): Koa.Middleware {
  const pages = publicPages.filter(({ path }) => hasPlans || !planAddress.test(path))
  let kept: { readonly text: Promise<string>; readonly until: number } | undefined
  const keptText = () => {
    const time = now().getTime()
    if (!kept || time >= kept.until) {
      const text = siteMapText(db, publicOrigin, pages, now())
      kept = { text, until: time + keptMs }
      text.catch(() => (kept = undefined))
    }
    return kept.text
  }
  return async (ctx, next) => {
    if (ctx.path === '/robots.txt') {
      ctx.set('Cache-Control', 'public, max-age=3600')
      ctx.body = robotsText(publicOrigin)
    } else if (ctx.path === '/sitemap.xml') {
      ctx.set('Cache-Control', 'public, max-age=3600')
      ctx.type = 'application/xml; charset=utf-8'
      ctx.body = await keptText()
    } else await next()
  }
}

/** Personal pages are not disallowed: a crawler must open them to read their `noindex`. */
function robotsText(publicOrigin: string): string {
  return ['User-agent: *', 'Disallow: /api/', 'Allow: /', '', `Sitemap: ${publicOrigin}/sitemap.xml`, ''].join('\n')
}

async function siteMapText(db: Knex, publicOrigin: string, pages: readonly PublicPage[], now: Date): Promise<string> {
  const entry = (path: string, changedDate?: string) =>
    `<url><loc>${publicOrigin}${path}</loc>${changedDate === undefined ? '' : `<lastmod>${changedDate}</lastmod>`}</url>`
  const events = await upcomingEvents(db, now)
  const entries = [
    ...pages.map(({ path }) => entry(path)),
    ...articles.map(({ slug, publishedDate }) => entry(articlePath(slug), publishedDate)),
    ...events.map(({ id, changedDate }) => entry(`/events/${id}`, changedDate)),
  ].slice(0, maxAddresses)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
}

async function upcomingEvents(db: Knex, now: Date): Promise<{ id: number; changedDate: string }[]> {
  const { rows } = await db.raw<{ rows: { id: number; changedDate: string }[] }>(
    `select e.id, to_char(l.updated_at at time zone 'UTC', 'YYYY-MM-DD') as changed_date
     from events e
     join sync_log l on l.scope = 'public' and l.collection = 'events' and l.doc_id = e.id::text and not l.deleted
     where e.visibility is null and e.taken_down_at is null and ${mayBeUpcoming} and ${endsAt} > ?::timestamptz
     order by e.start_date, e.id limit ?`,
    [now, now, maxAddresses] as Knex.Value[],
  )
  return rows
}

const PATH = /^\/events\/(\d{1,12})\.ics$/

export function calendarFiles({ db, findPublicEvent, publicOrigin }: SiteParts): Koa.Middleware {
  return async (ctx, next) => {
    const id = PATH.exec(ctx.path)?.[1]
    if (id === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    ctx.set('Cache-Control', 'no-cache')
    const found = await findPublicEvent(Number(id))
    if (!found) {
      ctx.status = 404
      ctx.body = 'Event Not Found'
      return
    }
    // The sequence is the edition, so that a mail's entry is not taken for newer.
    const counted = await db('events').where({ id: found.event.id }).first('edition')
    const text = calendarFile(found.event, publicOrigin, found.changedAt, { sequence: counted?.edition ?? 0 })
    ctx.attachment(calendarFileName(found.event))
    ctx.type = 'text/calendar; charset=utf-8'
    ctx.set('ETag', `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`)
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = text
  }
}
