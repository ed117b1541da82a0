import type { ApplicationFields } from './application-record.ts'

/** The organizer took this person in on the spot. */
export interface WalkIn {
  readonly firstName: string
  /** It is empty for a single name. */
  readonly lastName: string
  readonly company: string | null
  /** Empty for none: no email is sent, and there is no own page. */
  readonly email: string
}

/** One field for the whole name is quicker; the last word is the last name. */
export function nameParts(name: string): Pick<WalkIn, 'firstName' | 'lastName'> {
  const words = name.trim().split(/\s+/u)
  return words.length < 2
    ? { firstName: words.join(' '), lastName: '' }
    : { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' }
}

/** A walk-in is an application that answers no question. */
export function walkInFields({ firstName, lastName, company, email }: WalkIn): ApplicationFields {
  return {
    firstName,
    lastName,
    email,
    phone: null,
    linkedinUrl: null,
    company,
    jobTitle: null,
    topics: null,
    experience: '',
    expertise: '',
    whyBeacon: '',
    networkingStyle: '',
    bio: '',
    customAnswers: [],
  }
}

/** A phone's clock may run ahead: an arrival in the future counts as now. */
export function arrivedBy(seenAt: Date, now: Date): Date {
  return seenAt > now ? now : seenAt
}
