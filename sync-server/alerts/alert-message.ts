import { eventNameInMail } from '#shared/mail/organizer-words.ts'

/** `absent`: approved, and said not to come. */
export const beaconNews = ['withdrawn', 'absent', 'changed'] as const
export type BeaconNews = (typeof beaconNews)[number]

/** A declarative push message (W3C Push API); our worker shows it in all browsers. */
export interface PushMessage {
  readonly web_push: 8030
  /** Our worker is asked first: it adds buttons and sends what waits. */
  readonly mutable: true
  readonly notification: {
    readonly title: string
    readonly body: string
    /** Absolute, as the format asks. */
    readonly navigate: string
    readonly tag: string
    /** Whether an alert sounds although one of its tag is on the screen. */
    readonly renotify: boolean
    readonly data: MessageData
  }
  /** Pending applications of the organizer; missing for an applicant's phone. */
  readonly app_badge?: number
}

type MessageData = AlertData | TestData | NewsData

/** The application only when exactly one is meant, the event when all are of one. */
interface AlertData {
  readonly userId: number
  readonly eventId?: number
  readonly applicationId?: number
}

/** The worker tells the page that asked for the test. */
interface TestData {
  readonly userId: number
  readonly testId: string
}

interface NewsData {
  readonly ownApplicationId: number
}

export interface AlertedApplication {
  readonly id: number
  readonly eventId: number
  readonly eventName: string
}

interface Alert {
  readonly organizerId: number
  /** At least one. */
  readonly applications: readonly AlertedApplication[]
  readonly publicOrigin: string
}

const sounding = (notification: Omit<PushMessage['notification'], 'renotify'>): PushMessage => ({
  web_push: 8030,
  mutable: true,
  notification: { ...notification, renotify: true },
})

/** Never names an applicant: lock screens show it. Alerts of one event replace each other, on the way and on the screen. */
export function alertMessage({ organizerId, applications, publicOrigin }: Alert): PushMessage {
  const [first] = applications
  if (!first) throw new Error('There is nothing to alert about')
  const eventIds = new Set(applications.map(({ eventId }) => eventId))
  const single = applications.length === 1
  const oneEvent = eventIds.size === 1
  const page = oneEvent ? `${publicOrigin}/events/manage/${first.eventId}` : `${publicOrigin}/dashboard`
  const counted = single ? 'New Beacon application' : `${applications.length} new Beacon applications`
  return sounding({
    title: oneEvent ? eventNameInMail(first.eventName) : 'Beaconry',
    body: oneEvent ? counted : `${counted} at ${eventIds.size} events`,
    navigate: single ? `${page}?application=${first.id}` : page,
    tag: oneEvent ? `event-${first.eventId}` : 'events',
    data: {
      userId: organizerId,
      ...(oneEvent ? { eventId: first.eventId } : {}),
      ...(single ? { applicationId: first.id } : {}),
    },
  })
}

const beaconNewsText: Record<BeaconNews, readonly [one: string, several: string]> = {
  withdrawn: ['A Beacon has withdrawn.', 'Beacons have withdrawn.'],
  absent: ['A Beacon can’t come.', 'Beacons can’t come.'],
  changed: ['A Beacon changed what guests read.', 'Beacons changed what guests read.'],
}

/**
 * Each kind of news has its tag, so that it replaces no other alert. Names no person, and offers no decision on the
 * lock screen.
 */
export function beaconNewsMessage(given: {
  readonly news: BeaconNews
  readonly organizerId: number
  readonly event: { readonly id: number; readonly name: string }
  readonly applicationIds: readonly number[]
  readonly publicOrigin: string
}): PushMessage {
  const { news, organizerId, event, applicationIds, publicOrigin } = given
  const [one, several] = beaconNewsText[news]
  const [only, ...more] = applicationIds
  const page = `${publicOrigin}/events/manage/${event.id}`
  return sounding({
    title: eventNameInMail(event.name),
    body: more.length === 0 ? one : `${applicationIds.length} ${several}`,
    navigate: more.length === 0 ? `${page}?application=${only}` : page,
    tag: `${news}-${event.id}`,
    data: { userId: organizerId, eventId: event.id },
  })
}

export function testMessage(test: {
  readonly userId: number
  readonly testId: string
  readonly publicOrigin: string
}): PushMessage {
  const { userId, testId, publicOrigin } = test
  return sounding({
    title: 'Test alert',
    body: 'Alerts reach this device.',
    navigate: `${publicOrigin}/profile`,
    tag: 'test-alert',
    data: { userId, testId },
  })
}

/** Neither a name nor the decision, because lock screens show it. No token: the page finds the phone's by the id. */
export function newsMessage(news: {
  readonly application: { readonly id: number; readonly eventId: number }
  readonly eventName: string
  readonly publicOrigin: string
}): PushMessage {
  const { application, eventName, publicOrigin } = news
  return sounding({
    title: eventNameInMail(eventName),
    body: 'There is news about your application.',
    navigate: `${publicOrigin}/events/${application.eventId}/apply?told=${application.id}`,
    tag: `application-${application.id}`,
    data: { ownApplicationId: application.id },
  })
}

/** For a device that may have the message: a first arrival sounds, a second does not. */
export function repeated(message: PushMessage): PushMessage {
  return { ...message, notification: { ...message.notification, renotify: false } }
}
