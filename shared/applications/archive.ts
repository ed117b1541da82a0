/** Organizers' devices keep decided applications so long after their event; older ones are fetched when shown. */
export const keptDays = 30

/** So far may a device's and the server's days be apart. */
const slackDays = 2

/**
 * Tells whether the server may have archived applications of the event.
 * @param today of any zone ('2026-03-01')
 */
export function mayBeArchived({ endDate }: { readonly endDate: string }, today: string): boolean {
  return Date.parse(today) - Date.parse(endDate) > (keptDays - slackDays) * 86_400_000
}
