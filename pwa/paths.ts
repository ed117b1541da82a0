import { greatestId } from '#shared/record/new-id.ts'

/** The app's addresses, so that no screen spells one by hand. */
export const paths = {
  home: '/',
  auth: '/auth',
  events: '/events',
  event: (id: number) => `/events/${id}`,
  /** The event as a calendar file; not a page. */
  calendarFile: (id: number) => `/events/${id}.ics`,
  apply: (id: number) => `/events/${id}/apply`,
  howItWorks: '/how-it-works',
  pricing: '/pricing',
  resources: '/resources',
  eventBuilder: '/event-builder',
  features: '/features',
  faq: '/faq',
  about: '/about',
  blog: '/blog',
  article: (slug: string) => `/blog/${slug}`,
  contact: '/contact',
  privacy: '/privacy',
  terms: '/terms',
  dashboard: '/dashboard',
  profile: '/profile',
  admin: '/admin',
  createEvent: '/events/create',
  editEvent: (id: number) => `/events/edit/${id}`,
  manageEvent: (id: number) => `/events/manage/${id}`,
  customizeEvent: (id: number) => `/events/${id}/customize`,
  /** A page to print: the way to apply as a QR code. */
  poster: (id: number) => `/events/manage/${id}/poster`,
  /** A page to print: the approved Beacons. */
  beaconList: (id: number) => `/events/manage/${id}/beacons`,
  createFromTemplate: (id: number) => `/events/create?template=${id}`,
  subscription: '/subscription',
  manageSubscription: '/manage-subscription',
  billingHistory: '/billing-history',
  /** The chosen plan, and the promo code applied to it. */
  checkout: (planId: number, promoCode: string | null = null) =>
    `/checkout?planId=${planId}${promoCode === null ? '' : `&promoCode=${encodeURIComponent(promoCode)}`}`,
  checkoutStatus: '/checkout-status',
  /** What is queued on this device and what needs attention. */
  sync: '/sync',
} as const

/** The number in an address; null when it is none ("Event id in routes must be a number"). */
export function idFrom(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return null
  const id = Number(text)
  return id >= 1 && id <= greatestId ? id : null
}
