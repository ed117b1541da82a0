/** What guests read of an approved Beacon, in the order in which it is shown. */
export const publicFields = ['firstName', 'lastName', 'jobTitle', 'company', 'bio', 'linkedinUrl'] as const
export type PublicField = (typeof publicFields)[number]

/** One part of what guests read that is not what the organizer approved. */
export interface PublicChange {
  readonly field: PublicField
  /** What the organizer approved; null when it was empty. */
  readonly was: string | null
}

type PublicTexts = Readonly<Record<PublicField, string | null>>

/** What of the present text differs from another one. Empty and missing are the same. */
export function publicChanges(approved: PublicTexts, present: PublicTexts): PublicChange[] {
  return publicFields
    .filter((field) => (approved[field] || null) !== (present[field] || null))
    .map((field) => ({ field, was: approved[field] || null }))
}
