interface OrganizedEvent {
  readonly id: number
  readonly organizerId: number
}

/** The address's parameter with the id of the event's organizer. */
export const organizerParam = 'for'

/**
 * The page of an event for its organizer and their team, as alerts and emails lead to it. It names whose event it is,
 * because the app shows one organizer's events at a time.
 */
export const managePath = ({ id, organizerId }: OrganizedEvent) =>
  `/events/manage/${id}?${organizerParam}=${organizerId}`
