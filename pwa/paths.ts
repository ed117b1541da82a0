import { greatestId } from '#shared/record/new-id.ts'

export const paths = {
  home: '/',
  auth: '/auth',
  events: '/events',
  event: (id: number) => `/events/${id}`,
  /** Files, not pages. */
  calendarFile: (id: number) => `/events/${id}.ics`,
  coverPicture: (id: number, hash: string) => `/pictures/events/${id}/${hash}.webp`,
  facePicture: (id: number, hash: string) => `/pictures/beacons/${id}/${hash}.webp`,
  apply: (id: number) => `/events/${id}/apply`,
  myApplications: '/my-applications',
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
  accountSettings: '/account-settings',
  admin: '/admin',
  adminAccount: (id: number) => `/admin/accounts/${id}`,
  inbox: '/inbox',
  analytics: '/analytics',
  createEvent: '/events/create',
  editEvent: (id: number) => `/events/edit/${id}`,
  manageEvent: (id: number) => `/events/manage/${id}`,
  customizeEvent: (id: number) => `/events/${id}/customize`,
  /** To print: the way to apply as a QR code. */
  poster: (id: number) => `/events/manage/${id}/poster`,
  /** To print: the approved Beacons. */
  beaconList: (id: number) => `/events/manage/${id}/beacons`,
  createFromTemplate: (id: number) => `/events/create?template=${id}`,
  subscription: '/subscription',
  manageSubscription: '/manage-subscription',
  billingHistory: '/billing-history',
  checkout: (planId: number, promoCode: string | null = null) =>
    `/checkout?planId=${planId}${promoCode === null ? '' : `&promoCode=${encodeURIComponent(promoCode)}`}`,
  checkoutStatus: '/checkout-status',
  sync: '/sync',
} as const

/** Null for anything but a number of up to 12 digits. */
export function idFrom(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return null
  const id = Number(text)
  return id >= 1 && id <= greatestId ? id : null
}
