/** One declarative push message (toolchain note: read by browsers that know the format and by our own worker alike). */
export interface PushMessage {
  readonly web_push: 8030
  readonly notification: {
    readonly title: string
    readonly body: string
    /** Where a tap leads; absolute, as the format asks. */
    readonly navigate: string
    readonly tag: string
    readonly data: AlertData
  }
  /** Pending applications over all events of the organizer. */
  readonly app_badge: number
}

/** What the worker needs to decide from the notification; the application is named only when exactly one is meant. */
export interface AlertData {
  readonly userId: number
  readonly eventId: number
  readonly applicationId?: number
  readonly expectedDecisionNumber?: number
}

interface Alert {
  readonly organizerId: number
  readonly event: { readonly id: number; readonly name: string }
  /** The new applications that still wait; at least one. */
  readonly applications: readonly { readonly id: number; readonly decision_number: number }[]
  readonly pendingCount: number
  readonly publicOrigin: string
}

/** A push payload may have 3,993 bytes; the name is the only part that could be long. */
const longestTitle = 160

/** Alerts of one event replace each other, on the way and on the screen. */
export function alertTopic(eventId: number): string {
  return `event-${eventId}`
}

/** The alert about new applications. It never names an applicant: it is shown on lock screens. */
export function alertMessage({ organizerId, event, applications, pendingCount, publicOrigin }: Alert): PushMessage {
  const [only] = applications
  const single = applications.length === 1 ? only : undefined
  const page = `${publicOrigin}/events/manage/${event.id}`
  return {
    web_push: 8030,
    notification: {
      title: event.name.slice(0, longestTitle),
      body: single ? 'New Beacon application' : `${applications.length} new Beacon applications`,
      navigate: single ? `${page}?application=${single.id}` : page,
      tag: alertTopic(event.id),
      data: {
        userId: organizerId,
        eventId: event.id,
        ...(single ? { applicationId: single.id, expectedDecisionNumber: single.decision_number } : {}),
      },
    },
    app_badge: pendingCount,
  }
}
