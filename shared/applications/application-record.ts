import type { RecordFields, Values } from '../record/record.ts'

/** How often someone has been a Beacon before (specification, section 2). */
export const experienceChoices = ['First time', '1-2 times', '3-5 times', 'More than 5 times'] as const

const anyone = 'anyone'
const organizer = 'organizer'
/** An event may not ask for it: whether it is required depends on the event, see `missingAnswers`. */
const mayBeBlank = true

/**
 * What a volunteer sends. Guests read the fields for anyone of an approved Beacon; the questions are those an event asks unless
 * its organizer turns them off (specification, section 9).
 */
export const applicationRecord = {
  firstName: { kind: 'text', required: true, max: 80, label: 'First name', audience: anyone },
  lastName: { kind: 'text', required: true, max: 80, label: 'Last name', audience: anyone },
  email: { kind: 'email', required: true, label: 'Email', audience: organizer },
  phone: { kind: 'text', max: 40, label: 'Phone', audience: organizer },
  linkedinUrl: {
    kind: 'url',
    host: 'linkedin.com',
    label: 'LinkedIn',
    audience: anyone,
    message: 'Please enter the address of a LinkedIn profile',
  },
  company: { kind: 'text', max: 120, label: 'Company', audience: anyone },
  jobTitle: { kind: 'text', max: 120, label: 'Job title', audience: anyone },
  experience: {
    kind: 'choice',
    of: experienceChoices,
    mayBeBlank,
    label: 'Experience',
    question: 'How often have you been a Beacon or networking host before?',
    audience: organizer,
  },
  expertise: {
    kind: 'text',
    mayBeBlank,
    max: 2000,
    label: 'Expertise',
    question: 'What are your areas of expertise?',
    audience: organizer,
  },
  whyBeacon: {
    kind: 'text',
    mayBeBlank,
    max: 3000,
    label: 'Why Beacon',
    question: 'Why do you want to be a Beacon at this event?',
    audience: organizer,
  },
  networkingStyle: {
    kind: 'text',
    mayBeBlank,
    max: 2000,
    label: 'Networking Style',
    question: 'How would you describe your networking style?',
    audience: organizer,
  },
  bio: {
    kind: 'text',
    mayBeBlank,
    max: 3000,
    label: 'Bio',
    question: 'A short bio for the event page',
    audience: anyone,
  },
  /** To the organizer's own questions. */
  customAnswers: { kind: 'answers', max: 30, label: 'Answers', audience: organizer },
} as const satisfies RecordFields
export type ApplicationFields = Values<typeof applicationRecord>
