import type { Decision } from '#shared/applications/decide.ts'
import type { experienceChoices } from '#shared/applications/application.ts'
import type { DemoEventKey } from './demo-events.ts'

/** Somebody who applied in the demo. Nobody here exists; the texts are written for it. */
export interface DemoApplicant {
  event: DemoEventKey
  name: [first: string, last: string]
  /** The part of the address before @example.com; made of the name when missing. */
  mailbox?: string
  phone?: string
  linkedin?: boolean
  job?: [title: string, company: string]
  experience: (typeof experienceChoices)[number]
  expertise: string
  why: string
  style: string
  bio: string
  /** How long before now the application arrived. */
  hoursAgo: number
  /** The decisions taken since, oldest first; none: pending. */
  decided?: Decision[]
  /** Withdrawn by the applicant: rejected without a decision of the organizer. */
  withdrawn?: boolean
  /** Answers to the event's own questions, in their order. */
  answers?: string[]
}
