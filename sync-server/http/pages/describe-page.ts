import type { Knex } from 'knex'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { articlePath } from '#shared/site/articles.ts'
import { addressOf, fullTitle, siteName, type Address } from '#shared/site/pages.ts'
import { eventFacts, eventSummary } from './event-facts.ts'
import type { PageHead } from './page-head.ts'
import { findPublicEvent } from './public-event.ts'

/** A page as the server announces it before the app shows it. */
export interface PageDescription {
  readonly status: 200 | 404
  readonly head: PageHead
  /** The screen that will show it, as its file is called; none where the address does not tell. */
  readonly screen?: string
  /** The event it is about, which the app need not ask for again to show it. */
  readonly event?: PublicEvent
}

export interface SiteParts {
  readonly db: Knex
  /** Where people reach the server; no slash at the end. */
  readonly publicOrigin: string
}

/** Says of any path of the app what is there. Rejects when the database does not answer. */
export function pageDescriber({ db, publicOrigin }: SiteParts): (path: string) => Promise<PageDescription> {
  const image = `${publicOrigin}/link-preview.png`
  const hidden = (status: 200 | 404, title: string): PageDescription => ({
    status,
    head: { title, description: `${siteName} is for signed-in people and their events.`, canonical: null, image },
  })
  const missing = (title: string): PageDescription => ({
    status: 404,
    head: { title: fullTitle(title), description: 'There is nothing at this address.', canonical: null, image },
  })

  async function describeEvent({ id, view }: Address & { kind: 'event' }): Promise<PageDescription> {
    const found = await findPublicEvent(db, id)
    if (!found) return missing('Event Not Found')
    const { event } = found
    const address = `${publicOrigin}/events/${id}`
    const head = { description: eventSummary(event), image }
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
        facts: eventFacts(event, address, image),
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
          image,
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
