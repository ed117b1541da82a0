import { articlePath, articles, type ArticleEntry } from './articles.ts'

export const siteName = 'Beaconry'

/** This element carries an event's JSON in its page. */
export const toldEventId = 'told-event'

/** For search engines and link previews. */
export interface PublicPage {
  readonly path: string
  /** The site's name is added. */
  readonly title: string
  readonly description: string
}

export const publicPages: readonly PublicPage[] = [
  {
    path: '/',
    title: 'Nobody should stand alone at your event',
    description:
      'Beacons are volunteers who help your guests meet. Publish your event, choose your Beacons, and run it all from your phone, even when the venue’s wifi does not.',
  },
  {
    path: '/events',
    title: 'Upcoming Events',
    description:
      'Networking events where Beacons introduce you to the people you came for. Search by name, place or distance, and apply to be a Beacon yourself.',
  },
  {
    path: '/how-it-works',
    title: 'How It Works',
    description:
      'Organizers create an event, approve volunteers and watch the room start talking. Guests find Beacons, or become one.',
  },
  {
    path: '/pricing',
    title: 'Pricing',
    description:
      'Plans for one event, for three, or for as many as you like. Choose one when you are ready to publish.',
  },
  {
    path: '/resources',
    title: 'Resources',
    description:
      'Answers about Beacons, six tips for better networking, and four that organizers who do this often would not do without.',
  },
  {
    path: '/event-builder',
    title: 'Event Builder',
    description: 'Draft your event in a few minutes, without an account. It stays on this device until you publish it.',
  },
  {
    path: '/features',
    title: 'Features',
    description:
      'Event pages, applications, decisions from your phone, and a queue that loses nothing when the network goes.',
  },
  {
    path: '/faq',
    title: 'Frequently Asked Questions',
    description:
      'Short answers for organizers, Beacons and guests: applying, deciding, working without a network, your account and data.',
  },
  {
    path: '/about',
    title: 'About',
    description: 'Why we make Beaconry: most people leave a networking event having met the two people next to them.',
  },
  {
    path: '/blog',
    title: 'Blog',
    description:
      'Practical notes on running rooms where people meet: briefings, introductions, and venues without wifi.',
  },
  {
    path: '/contact',
    title: 'Contact',
    description: 'Whom to ask about an event, an application, your account or your data, and how to reach us.',
  },
  {
    path: '/privacy',
    title: 'Privacy',
    description: 'What Beaconry stores, where it is stored, who sees it and for how long. No trackers, no advertising.',
  },
  {
    path: '/terms',
    title: 'Terms',
    description: 'What organizers, Beacons and guests can expect of Beaconry, and what we expect of them.',
  },
  {
    path: '/auth',
    title: 'Sign In',
    description: 'Sign in to your events, or create an account to publish one and recruit Beacons.',
  },
]

export type Address =
  | { readonly kind: 'page'; readonly page: PublicPage }
  | { readonly kind: 'article'; readonly article: ArticleEntry }
  | { readonly kind: 'event'; readonly id: number; readonly view: 'detail' | 'apply' }
  /** Search engines get nothing. */
  | { readonly kind: 'private' }
  | { readonly kind: 'unknown' }

const event = /^\/events\/(\d{1,12})(\/apply)?$/

/** Addresses that a server without plans does not have. */
export const planAddress = /^\/(pricing|checkout|checkout-status|subscription|manage-subscription|billing-history)\/?$/

const privateAddresses = [
  /^\/(dashboard|profile|account-settings|billing-history|manage-subscription|subscription|admin|sync|inbox|team|analytics|my-applications|create-event|checkout|checkout-status)$/,
  /^\/team\/join$/,
  /^\/admin\/accounts\/[^/]+$/,
  /^\/events\/create$/,
  /^\/events\/(edit|manage)\/[^/]+(\/[a-z]+)?$/,
  /^\/events\/[^/]+\/(edit|customize|here)$/,
  /^\/edit-event\/[^/]+$/,
]

/** @param path without query; a trailing slash does not matter */
export function addressOf(path: string): Address {
  const plain = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
  const page = publicPages.find((candidate) => candidate.path === plain)
  if (page) return { kind: 'page', page }
  const article = articles.find(({ slug }) => plain === articlePath(slug))
  if (article) return { kind: 'article', article }
  const [, id, apply] = event.exec(plain) ?? []
  if (id !== undefined) return { kind: 'event', id: Number(id), view: apply === undefined ? 'detail' : 'apply' }
  return { kind: privateAddresses.some((pattern) => pattern.test(plain)) ? 'private' : 'unknown' }
}

export function fullTitle(title: string): string {
  return `${title} · ${siteName}`
}
