import { greatestId } from '#shared/record/new-id.ts'

export const paths = {
  home: '/',
  auth: '/auth',
  events: '/events',
  event: (id: number) => `/events/${id}`,
  /** The server answers these with files, not pages. */
  calendarFile: (id: number) => `/events/${id}.ics`,
  coverPicture: (id: number, hash: string) => `/pictures/events/${id}/${hash}.webp`,
  facePicture: (id: number, hash: string) => `/pictures/beacons/${id}/${hash}.webp`,
  apply: (id: number) => `/events/${id}/apply`,
  /** Only a device that keeps the application finds it by its id. */
  ownApplication: (eventId: number, id: number) => `/events/${eventId}/apply?own=${id}`,
  /** From the poster at the door; the own page shows the way to check in first. */
  checkIn: (eventId: number) => `/events/${eventId}/here`,
  ownCheckIn: (eventId: number, id: number) => `/events/${eventId}/apply?own=${id}#here`,
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
  team: '/team',
  /** The invitation's token is its fragment. */
  joinTeam: '/team/join',
  analytics: '/analytics',
  createEvent: '/events/create',
  editEvent: (id: number) => `/events/edit/${id}`,
  manageEvent: (id: number) => `/events/manage/${id}`,
  customizeEvent: (id: number) => `/events/${id}/customize`,
  /** The poster to print shows the way to apply as a QR code. */
  poster: (id: number) => `/events/manage/${id}/poster`,
  board: (id: number) => `/events/manage/${id}/board`,
  ready: (id: number) => `/events/manage/${id}/ready`,
  /** The list to print has the approved Beacons. */
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

/** Returns null for anything but a number of up to 12 digits. */
export function idFrom(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return null
  const id = Number(text)
  return id >= 1 && id <= greatestId ? id : null
}
