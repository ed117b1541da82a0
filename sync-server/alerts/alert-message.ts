import { eventNameInMail } from '#shared/mail/organizer-words.ts'
import { outgoingName } from '#shared/text/outgoing-name.ts'
import { managePath } from '#shared/events/manage-path.ts'

/**
 * An `absent` Beacon was approved and said not to come. One who is back (`again`) applied again after a withdrawal and
 * waits for an answer.
 */
export const beaconNews = ['withdrawn', 'absent', 'changed', 'again'] as const
export type BeaconNews = (typeof beaconNews)[number]

/** A declarative push message (W3C Push API); our worker shows it in all browsers. */
export interface PushMessage {
  readonly web_push: 8030
  /** Our worker is asked first: it adds buttons and sends what waits. */
  readonly mutable: true
  readonly notification: {
    readonly title: string
    readonly body: string
    /** The address is absolute, as the format asks. */
    readonly navigate: string
    readonly tag: string
    /** Decides whether an alert sounds although one of its tag is on the screen. */
    readonly renotify: boolean
    readonly data: MessageData
  }
  /** Counts pending applications of the organizer; an applicant's phone gets none. */
  readonly app_badge?: number
}

type MessageData = AlertData | TestData | NewsData

/** Names the application only when exactly one is meant, and the event when all are of one. */
interface AlertData {
  readonly userId: number
  /** It is about this organizer's events, where the device belongs to a member of their team. */
  readonly organizerId?: number
  readonly eventId?: number
  readonly applicationId?: number
  /** Only on a device whose owner wants names: a decision made there says whom it is about. */
  readonly applicantName?: string
}

/** The worker tells the page that asked for the test. */
interface TestData {
  readonly userId: number
  readonly testId: string
}

interface NewsData {
  readonly ownApplicationId: number
}

export interface NamedPerson {
  readonly firstName: string
  readonly lastName: string
}

export interface AlertedApplication extends NamedPerson {
  readonly id: number
  readonly eventId: number
  readonly eventName: string
  readonly organizerId: number
}

interface Alert {
  /** The device belongs to the organizer, or to a member of their team. */
  readonly userId: number
  /** The list has one at least. */
  readonly applications: readonly AlertedApplication[]
  /** The owner of the device wants names on its lock screen. */
  readonly showNames: boolean
  readonly publicOrigin: string
}

const sounding = (notification: Omit<PushMessage['notification'], 'renotify'>): PushMessage => ({
  web_push: 8030,
  mutable: true,
  notification: { ...notification, renotify: true },
})

const organizerFor = (userId: number, organizerId: number) => (userId === organizerId ? {} : { organizerId })

const personName = ({ firstName, lastName }: NamedPerson) => outgoingName(`${firstName} ${lastName}`)

/**
 * It names the applicant only where the owner of the device wants that, because lock screens show it, and only when
 * one alone has applied. Alerts of one event replace each other, on the way and on the screen.
 */
export function alertMessage({ userId, applications, showNames, publicOrigin }: Alert): PushMessage {
  const [first] = applications
  if (!first) throw new Error('There is nothing to alert about')
  const eventIds = new Set(applications.map(({ eventId }) => eventId))
  const single = applications.length === 1
  const oneEvent = eventIds.size === 1
  const page = oneEvent ? managePath({ id: first.eventId, organizerId: first.organizerId }) : '/dashboard'
  const organizer = oneEvent ? organizerFor(userId, first.organizerId) : {}
  const counted = single ? 'New Beacon application' : `${applications.length} new Beacon applications`
  const applicantName = single && showNames ? personName(first) : ''
  const eventName = eventNameInMail(first.eventName)
  const texts = applicantName
    ? { title: counted, body: `${applicantName} applied for ${eventName}` }
    : oneEvent
      ? { title: eventName, body: counted }
      : { title: 'Beaconry', body: `${counted} at ${eventIds.size} events` }
  return sounding({
    ...texts,
    navigate: publicOrigin + page + (single ? `&application=${first.id}` : ''),
    tag: oneEvent ? `event-${first.eventId}` : 'events',
    data: {
      userId,
      ...organizer,
      ...(oneEvent ? { eventId: first.eventId } : {}),
      ...(single ? { applicationId: first.id } : {}),
      ...(applicantName ? { applicantName } : {}),
    },
  })
}

const beaconNewsText: Record<BeaconNews, readonly [one: string, did: string, several: string]> = {
  withdrawn: ['A Beacon', 'has withdrawn.', 'Beacons have withdrawn.'],
  absent: ['A Beacon', 'can’t come.', 'Beacons can’t come.'],
  again: ['Someone', 'applied again.', 'people applied again.'],
  changed: ['A Beacon', 'changed what guests read.', 'Beacons changed what guests read.'],
}

/**
 * Each kind of news has its tag, so that it replaces no other alert. It offers no decision on the lock screen, and
 * names a person only where the owner of the device wants that.
 */
export function beaconNewsMessage(given: {
  readonly news: BeaconNews
  /** The device belongs to the organizer, or to a member of their team. */
  readonly userId: number
  readonly organizerId: number
  readonly event: { readonly id: number; readonly name: string }
  readonly applicationIds: readonly number[]
  /** It is about this person alone, where the device shows names. */
  readonly person?: NamedPerson | undefined
  readonly publicOrigin: string
}): PushMessage {
  const { news, userId, organizerId, event, applicationIds, person, publicOrigin } = given
  const organizer = organizerFor(userId, organizerId)
  const [someone, did, several] = beaconNewsText[news]
  const [only, ...more] = applicationIds
  const page = `${publicOrigin}${managePath({ id: event.id, organizerId })}`
  return sounding({
    title: eventNameInMail(event.name),
    body:
      more.length === 0 ? `${(person && personName(person)) || someone} ${did}` : `${applicationIds.length} ${several}`,
    navigate: more.length === 0 && only !== undefined ? `${page}&application=${only}` : page,
    tag: `${news}-${event.id}`,
    data: { userId, ...organizer, eventId: event.id },
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

/**
 * Contains neither a name nor the decision, because lock screens show it, and no token: the page finds the phone's by
 * the id.
 */
export function newsMessage(news: {
  readonly application: { readonly id: number; readonly eventId: number }
  readonly eventName: string
  readonly publicOrigin: string
}): PushMessage {
  const { application, eventName, publicOrigin } = news
  return sounding({
    title: eventNameInMail(eventName),
    body: 'There is news about your application.',
    navigate: `${publicOrigin}/events/${application.eventId}/apply?own=${application.id}`,
    tag: `application-${application.id}`,
    data: { ownApplicationId: application.id },
  })
}

/**
 * Leaves out the message's text, because lock screens show it. Each message has its tag, so that none replaces another.
 */
export function messageMessage(news: {
  readonly messageId: number
  readonly application: { readonly id: number; readonly eventId: number }
  readonly eventName: string
  readonly publicOrigin: string
}): PushMessage {
  const { messageId, application, eventName, publicOrigin } = news
  return sounding({
    title: eventNameInMail(eventName),
    body: 'The organizer has sent you a message.',
    navigate: `${publicOrigin}/events/${application.eventId}/apply?own=${application.id}`,
    tag: `message-${messageId}`,
    data: { ownApplicationId: application.id },
  })
}

/** For a device that may have the message: a first arrival sounds, a second does not. */
export function repeated(message: PushMessage): PushMessage {
  return { ...message, notification: { ...message.notification, renotify: false } }
}
