/** The specification has these placeholders (section 2). */
export const placeholders = [
  'Beacon Name',
  'Event Name',
  'Event Date',
  'Event Location',
  'Custom Instructions',
  'Promo Code',
] as const
export type Placeholder = (typeof placeholders)[number]

/** Instructions of 4,000 characters would otherwise fill a mail hundreds of times. */
export const maxOfEachPlaceholder = 5

export const bracketed = /\[([^[\]\r\n]{1,60})\]/g

export const isPlaceholder = (name: string): name is Placeholder => (placeholders as readonly string[]).includes(name)

/** Returns undefined for a good template. */
export function tooManyPlaceholders(template: string): string | undefined {
  const counts = new Map<string, number>()
  for (const [, name = ''] of template.matchAll(bracketed)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const often = placeholders.find((name) => (counts.get(name) ?? 0) > maxOfEachPlaceholder)
  return often && `Please use [${often}] at most ${maxOfEachPlaceholder} times`
}
