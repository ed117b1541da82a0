import { toldEventId } from '#shared/site/pages.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'

/**
 * The event that the server wrote into this page when it was asked for it, so that the first paint need not wait for a call
 * of its own. Answered once: from then on what the page has learned is newer.
 */
export function takeToldEvent(id: number): PublicEvent | undefined {
  const place = document.getElementById(toldEventId)
  if (!place) return undefined
  const event = JSON.parse(place.textContent) as PublicEvent
  if (event.id !== id) return undefined
  place.remove()
  return event
}
