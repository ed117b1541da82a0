import type { PublicEvent } from '#shared/events/event-calls.ts'

/**
 * Events whose name, location, description or city contains every word of a text, whatever its case and accents
 * (specification, section 2). An empty text keeps all.
 */
export function filterByText<E extends Pick<PublicEvent, 'name' | 'location' | 'description' | 'city'>>(
  events: readonly E[],
  text: string,
): readonly E[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return events
  return events.filter((event) => {
    const searched = plain(`${event.name}\n${event.location}\n${event.description}\n${event.city ?? ''}`)
    return words.every((word) => searched.includes(word))
  })
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
