export interface NotifiedApplication {
  readonly applicationId: number
  readonly eventId: number
  /** The alert is for this account; another one's decides nothing here. */
  readonly userId: number | null
  /** A member of this organizer's team decides for them; it is null for the account's own events. */
  readonly organizerId: number | null
  /** It is null on a device whose alerts name no one. */
  readonly name: string | null
}

export interface ShownPush {
  readonly title: string
  readonly body: string
  /** Alerts of one event replace each other. */
  readonly tag: string
  /** False for an alert that may be on the screen: the new one makes no sound. */
  readonly renotify: boolean
  readonly open: string
  readonly application: NotifiedApplication | null
  /** The icon shows this number of pending applications; null leaves it as it is. */
  readonly badge: number | null
  /** A page waits for the test alert with this id. */
  readonly testId: string | null
}

const fallback: ShownPush = {
  title: 'Beaconry',
  body: 'There is something new for your events.',
  tag: 'beaconry',
  renotify: true,
  open: '/dashboard',
  application: null,
  badge: null,
  testId: null,
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0
const text = (value: unknown, otherwise: string) => (typeof value === 'string' && value !== '' ? value : otherwise)

/**
 * Reads Declarative Web Push. A browser takes alerts away from an app that shows nothing for a push, so an unreadable
 * message is shown in general words.
 * @param origin of this app; an address elsewhere is not opened
 */
export function readPush(message: unknown, origin: string): ShownPush {
  if (!isRecord(message) || !isRecord(message['notification'])) return fallback
  const { notification, app_badge: badge } = message
  return {
    title: text(notification['title'], fallback.title),
    body: text(notification['body'], fallback.body),
    tag: text(notification['tag'], fallback.tag),
    renotify: notification['renotify'] !== false,
    open: pathOf(notification['navigate'], origin),
    application: readApplication(notification['data']),
    badge: isCount(badge) ? badge : null,
    testId: readTestId(notification['data']),
  }
}

/** A browser that has read the message itself proposes a notification and hands over no text. */
interface ProposedPush {
  readonly notification?: unknown
  readonly appBadge?: unknown
}

export function messageOf(data: Pick<PushMessageData, 'json'> | null, proposed: ProposedPush): unknown {
  if (!data) return { notification: proposed.notification, app_badge: proposed.appBadge }
  try {
    return data.json()
  } catch {
    return undefined
  }
}

function pathOf(address: unknown, origin: string): string {
  if (typeof address !== 'string' || !URL.canParse(address, origin)) return fallback.open
  const url = new URL(address, origin)
  return url.origin === origin ? url.pathname + url.search : fallback.open
}

function readApplication(data: unknown): NotifiedApplication | null {
  if (!isRecord(data)) return null
  const { applicationId, eventId, userId, organizerId, applicantName } = data
  if (!isCount(applicationId) || !isCount(eventId)) return null
  return {
    applicationId,
    eventId,
    userId: isCount(userId) ? userId : null,
    organizerId: isCount(organizerId) ? organizerId : null,
    name: text(applicantName, '') || null,
  }
}

function readTestId(data: unknown): string | null {
  const testId = isRecord(data) ? data['testId'] : null
  return typeof testId === 'string' && testId !== '' ? testId : null
}
