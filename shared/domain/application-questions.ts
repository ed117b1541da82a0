import type { ApplicationFields } from './application.ts'

export type DefaultQuestionField = keyof Pick<
  ApplicationFields,
  'experience' | 'expertise' | 'whyBeacon' | 'networkingStyle' | 'bio'
>

/** The five questions an event asks unless its organizer turns them off (specification, section 9). */
export const defaultQuestions: readonly { readonly field: DefaultQuestionField; readonly text: string }[] = [
  { field: 'experience', text: 'How often have you been a Beacon or networking host before?' },
  { field: 'expertise', text: 'What are your areas of expertise?' },
  { field: 'whyBeacon', text: 'Why do you want to be a Beacon at this event?' },
  { field: 'networkingStyle', text: 'How would you describe your networking style?' },
  { field: 'bio', text: 'A short bio for the event page' },
]

export const bioHint = '100-150 words'
