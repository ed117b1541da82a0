import type { Knex } from 'knex'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { articlePath } from '#shared/site/articles.ts'
import { addressOf, fullTitle, siteName, toldEventId, type Address } from '#shared/site/pages.ts'
import { escapeHtml } from '#shared/text/plain-text.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { instantOf, lastDateOf, utcOffsetMinutes, wallClockIn } from '#shared/time/event-time.ts'

interface FoundEvent {
  readonly event: PublicEvent
  /** The event reads like this since then. */
  readonly changedAt: Date
}

/** Returns undefined when the public sees no such event. */
export type FindPublicEvent = (id: number) => Promise<FoundEvent | undefined>

async function isUnlisted(db: Knex, id: number): Promise<boolean> {
  return (await db('events').where({ id, visibility: 'unlisted' }).first('id')) !== undefined
}

export interface PageDescription {
  readonly status: 200 | 404
  readonly head: PageHead
  /** This is the screen's file name; it is missing where the address does not tell. */
  readonly screen?: string
  readonly event?: PublicEvent
}

export interface SiteParts {
  readonly db: Knex
  readonly findPublicEvent: FindPublicEvent
  /** No slash ends it. */
  readonly publicOrigin: string
}

/** Describes any path of the app. Rejects when the database does not answer. */
export function pageDescriber({
  db,
  findPublicEvent,
  publicOrigin,
}: SiteParts): (path: string) => Promise<PageDescription> {
  const image = { address: `${publicOrigin}/link-preview.png`, alt: hallInWords }
  const hidden = (status: 200 | 404, title: string): PageDescription => ({
    status,
    head: { title, description: `${siteName} is for signed-in people and their events.`, canonical: null, image },
  })
  const missing = (title: string): PageDescription => ({
    status: 404,
    head: { title: fullTitle(title), description: 'There is nothing at this address.', canonical: null, image },
  })

  async function describeEvent({ id, view }: Address & { kind: 'event' }): Promise<PageDescription> {
    const found = await findPublicEvent(id)
    if (!found) return missing('Event Not Found')
    const { event } = found
    const address = `${publicOrigin}/events/${id}`
    const preview = { address: `${address}/preview.png`, alt: `${event.name}. ${whenAndWhere(event)}` }
    const isIndexed = !(await isUnlisted(db, id))
    const head = { description: eventSummary(event), image: preview, isIndexed }
    if (view === 'apply') {
      const title = fullTitle(`Become a Beacon at ${event.name}`)
      return { status: 200, head: { ...head, title, canonical: `${address}/apply` }, screen: 'apply', event }
    }
    return {
      status: 200,
      screen: 'event-detail',
      event,
      head: {
        ...head,
        title: fullTitle(event.name),
        canonical: address,
        facts: eventFacts(event, address, preview.address),
      },
    }
  }

  return async (path) => {
    const address = addressOf(path)
    switch (address.kind) {
      case 'page': {
        const { title, description, path: own } = address.page
        const head = { title: fullTitle(title), description, canonical: publicOrigin + own, image }
        return { status: 200, head, screen: own === '/' ? 'landing' : own.slice(1) }
      }
      case 'article': {
        const { slug, title, description, publishedDate } = address.article
        const canonical = publicOrigin + articlePath(slug)
        const facts = {
          '@context': 'https://schema.org',
          '@type': 'BlogPosting',
          headline: title,
          description,
          datePublished: publishedDate,
          url: canonical,
          image: image.address,
          publisher: { '@type': 'Organization', name: siteName, url: publicOrigin },
        }
        const head = { title: fullTitle(title), description, canonical, type: 'article', image, facts } as const
        return { status: 200, head, screen: 'article' }
      }
      case 'event':
        return await describeEvent(address)
      case 'private':
        return hidden(200, siteName)
      case 'unknown':
        return missing('404 Page Not Found')
    }
  }
}

const hallInWords = 'A dim hall full of people; three of them stand under a lamp'

const longestDescription = 200

function whenAndWhere(event: PublicEvent): string {
  const place = [event.location, event.city, event.state].filter(Boolean).join(', ')
  return `${formatEventDate(event)}, ${place}.`
}

/** Says when and where, then the description, in a length that previews show whole. */
function eventSummary(event: PublicEvent): string {
  const cancelled = event.cancelledAt === undefined ? '' : 'Cancelled. '
  const text = `${cancelled}${whenAndWhere(event)} ${event.description}`.replace(/\s+/g, ' ').trim()
  if (text.length <= longestDescription) return text
  return `${text.slice(0, longestDescription).replace(/\s+\S*$/, '')} …`
}

function eventFacts(event: PublicEvent, address: string, image: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.name,
    description: event.description,
    url: address,
    image,
    startDate: moment(event.startDate, event.startTime, event.timeZone),
    endDate: moment(lastDateOf(event), event.endTime, event.timeZone),
    eventStatus: `https://schema.org/${event.cancelledAt === undefined ? 'EventScheduled' : 'EventCancelled'}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: event.location,
      address: {
        '@type': 'PostalAddress',
        streetAddress: event.address,
        ...(event.city === null ? {} : { addressLocality: event.city }),
        ...(event.state === null ? {} : { addressRegion: event.state }),
        ...(event.zipCode === null ? {} : { postalCode: event.zipCode }),
        addressCountry: 'US',
      },
    },
    ...(event.registrationUrl === null ? {} : { offers: { '@type': 'Offer', url: event.registrationUrl } }),
  }
}

/** Writes a day, or with a time an instant with its UTC offset: '2026-03-07T18:00:00-06:00'. */
function moment(date: string, time: string | null, timeZone: string): string {
  if (time === null) return date
  const instant = instantOf(date, time, timeZone)
  const clock = wallClockIn(timeZone, instant)
  const offset = utcOffsetMinutes(timeZone, instant)
  const size = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${clock.date}T${clock.time}:00${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

interface PageHead {
  readonly title: string
  readonly description: string
  /** The address is absolute; it is null for pages that search engines must leave alone. */
  readonly canonical: string | null
  /** False for pages that people may share and search engines must leave alone. */
  readonly isIndexed?: boolean
  readonly type?: 'website' | 'article'
  /** The address is absolute, and the picture has 1200 × 630 pixels. */
  readonly image: { readonly address: string; readonly alt: string }
  readonly facts?: object
}

const GENERIC = /<title>[^<]*<\/title>(\s*<meta\s+name="description"[^>]*>)?/

/** A shell without a title keeps its head. */
export function insertHead(
  shell: string,
  head: PageHead,
  scripts: readonly string[] = [],
  event?: PublicEvent,
): string {
  const announced = scripts.map((href) => `\n    <link rel="modulepreload" crossorigin href="${escapeHtml(href)}" />`)
  const told = event ? `\n    <script type="application/json" id="${toldEventId}">${scriptText(event)}</script>` : ''
  return shell
    .replace(GENERIC, () => headHtml(head))
    .replace('</head>', () => `${announced.join('')}${told}\n  </head>`)
}

function headHtml(head: PageHead): string {
  const { title, description, canonical, isIndexed = true, type = 'website', image, facts } = head
  const lines = [`<title>${escapeHtml(title)}</title>`, meta('name', 'description', description)]
  if (canonical === null || !isIndexed) lines.push(meta('name', 'robots', 'noindex'))
  if (canonical === null) return lines.join('\n    ')
  return [
    ...lines,
    `<link rel="canonical" href="${escapeHtml(canonical)}" />`,
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:type', type),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', canonical),
    meta('property', 'og:image', image.address),
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', image.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...(facts ? [`<script type="application/ld+json">${scriptText(facts)}</script>`] : []),
  ].join('\n    ')
}

const meta = (attribute: 'name' | 'property', name: string, content: string) =>
  `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`

/** Cannot end the script element around it. */
function scriptText(value: object): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
