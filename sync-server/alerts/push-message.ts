import { eventNameInMail } from '#shared/mail/organizer-words.ts'

/** News for an organizer: what approved Beacons did by themselves. */
export type BeaconNews = 'withdrawn' | 'changed'

/**
 * One declarative push message (W3C Push API): known by `web_push`, shown by browsers that read the format, and by our own
 * worker everywhere.
 */
export interface PushMessage {
  readonly web_push: 8030
  /** Also where the browser could show it alone our worker is asked first: it adds buttons and sends what waits. */
  readonly mutable: true
  readonly notification: {
    readonly title: string
    readonly body: string
    /** Where a tap leads; absolute, as the format asks. */
    readonly navigate: string
    readonly tag: string
    /** Whether the device makes itself heard also where one of the same tag is still on its screen. */
    readonly renotify: boolean
    readonly data: MessageData
  }
  /** Pending applications over all events of the organizer; an applicant's phone has no such number. */
  readonly app_badge?: number
}

/** What the worker needs to act on a message. */
type MessageData = AlertData | TestData | NewsData

/** The application is named only when exactly one is meant, the event when all are of one. */
interface AlertData {
  readonly userId: number
  readonly eventId?: number
  readonly applicationId?: number
}

/** The worker tells the open page of the test that asked for it. */
interface TestData {
  readonly userId: number
  readonly testId: string
}

/** To the applicant's own phone. */
interface NewsData {
  readonly ownApplicationId: number
}

/** An application that still waits for its organizer, with its event. */
export interface AlertedApplication {
  readonly id: number
  readonly eventId: number
  readonly eventName: string
}

interface Alert {
  readonly organizerId: number
  /** The new applications that still wait; at least one. */
  readonly applications: readonly AlertedApplication[]
  readonly pendingCount: number
  readonly publicOrigin: string
}

/** Where alerts of one event replace each other, on the way and on the screen; those of several have a place of their own. */
function alertTag(eventIds: ReadonlySet<number>): string {
  const [only] = eventIds
  return eventIds.size === 1 ? `event-${only}` : 'events'
}

/** The alert about new applications. It never names an applicant: it is shown on lock screens. */
export function alertMessage({ organizerId, applications, pendingCount, publicOrigin }: Alert): PushMessage {
  const [first] = applications
  if (!first) throw new Error('There is nothing to alert about')
  const eventIds = new Set(applications.map(({ eventId }) => eventId))
  const single = applications.length === 1
  const oneEvent = eventIds.size === 1
  const page = oneEvent ? `${publicOrigin}/events/manage/${first.eventId}` : `${publicOrigin}/dashboard`
  const counted = single ? 'New Beacon application' : `${applications.length} new Beacon applications`
  return {
    web_push: 8030,
    mutable: true,
    notification: {
      title: oneEvent ? eventNameInMail(first.eventName) : 'Beaconry',
      body: oneEvent ? counted : `${counted} at ${eventIds.size} events`,
      navigate: single ? `${page}?application=${first.id}` : page,
      tag: alertTag(eventIds),
      renotify: true,
      data: {
        userId: organizerId,
        ...(oneEvent ? { eventId: first.eventId } : {}),
        ...(single ? { applicationId: first.id } : {}),
      },
    },
    app_badge: pendingCount,
  }
}

const beaconNewsText: Record<BeaconNews, readonly [one: string, several: string]> = {
  withdrawn: ['A Beacon has withdrawn.', 'Beacons have withdrawn.'],
  changed: ['A Beacon changed what guests read.', 'Beacons changed what guests read.'],
}

/**
 * To an organizer: what approved Beacons did by themselves. A tag for each kind of news, so that none takes the place of
 * another or of an alert about new applications. No person is named, and there is nothing to decide from the lock screen.
 */
export function beaconNewsMessage(given: {
  readonly news: BeaconNews
  readonly organizerId: number
  readonly event: { readonly id: number; readonly name: string }
  /** At least one. */
  readonly applicationIds: readonly number[]
  readonly pendingCount: number
  readonly publicOrigin: string
}): PushMessage {
  const { news, organizerId, event, applicationIds, pendingCount, publicOrigin } = given
  const [one, several] = beaconNewsText[news]
  const [only, ...more] = applicationIds
  const page = `${publicOrigin}/events/manage/${event.id}`
  return {
    web_push: 8030,
    mutable: true,
    notification: {
      title: eventNameInMail(event.name),
      body: more.length === 0 ? one : `${applicationIds.length} ${several}`,
      navigate: more.length === 0 ? `${page}?application=${only}` : page,
      tag: `${news}-${event.id}`,
      renotify: true,
      data: { userId: organizerId, eventId: event.id },
    },
    app_badge: pendingCount,
  }
}

/** What a person asked for who wants to see whether alerts arrive. */
export function testMessage(test: {
  readonly userId: number
  readonly testId: string
  readonly pendingCount: number
  readonly publicOrigin: string
}): PushMessage {
  const { userId, testId, pendingCount, publicOrigin } = test
  return {
    web_push: 8030,
    mutable: true,
    notification: {
      title: 'Test alert',
      body: 'Alerts reach this device.',
      navigate: `${publicOrigin}/profile`,
      tag: 'test-alert',
      renotify: true,
      data: { userId, testId },
    },
    app_badge: pendingCount,
  }
}

/**
 * To an applicant's phone: that there is news, and about which event. Neither a name nor the decision stands on a lock
 * screen, and no token in the message: the phone has it, and the page finds it by the number.
 */
export function newsMessage(news: {
  readonly application: { readonly id: number; readonly eventId: number }
  readonly eventName: string
  readonly publicOrigin: string
}): PushMessage {
  const { application, eventName, publicOrigin } = news
  return {
    web_push: 8030,
    mutable: true,
    notification: {
      title: eventNameInMail(eventName),
      body: 'There is news about your application.',
      navigate: `${publicOrigin}/events/${application.eventId}/apply?told=${application.id}`,
      tag: `application-${application.id}`,
      renotify: true,
      data: { ownApplicationId: application.id },
    },
  }
}

/**
 * The same message for a device that may have it already: where it is still on the screen this one takes its place without
 * a sound, and where it never came this one is heard like the first.
 */
export function repeated(message: PushMessage): PushMessage {
  return { ...message, notification: { ...message.notification, renotify: false } }
}
