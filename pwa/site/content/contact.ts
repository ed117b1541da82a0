import type { RichText } from './content.ts'

export interface ContactWay {
  readonly title: string
  readonly text: RichText
  /** A page that helps; null: writing to whoever runs the server, whose address it says itself. */
  readonly action: { readonly label: string; readonly to: string } | null
}

/** Whom to ask about what; the quickest way for most people comes first. */
export const contactWays: readonly ContactWay[] = [
  {
    title: 'About an event',
    text: 'Tickets, the programme, the venue: ask the organizer. The event’s page has the link to its registration, where they answer.',
    action: { label: 'Find the event', to: '/events' },
  },
  {
    title: 'About your application',
    text: 'The organizer decides, and nobody here can speed it up. Your application’s own page says how it stands and lets you correct or withdraw it: open the event’s application page on the device you applied from.',
    action: { label: 'Find the event', to: '/events' },
  },
  {
    title: 'About your account or a payment',
    text: 'Write from the address you signed up with, and tell us what you expected and what happened instead. If a page showed a number beside an error, send it along: it finds the line in our log.',
    action: null,
  },
  {
    title: 'About your data',
    text: 'To see, correct or delete what we store about you, write to us. [Privacy](/privacy) says what that is and what we can do at once.',
    action: null,
  },
  {
    title: 'A security problem',
    text: 'Thank you for looking. Please write before you publish, with the steps to see it; do not try it on other people’s data. We answer within two working days.',
    action: null,
  },
  {
    title: 'Something else',
    text: 'A typo, an idea, a good story from a hall with bad wifi. We read everything.',
    action: null,
  },
]

/** In place of an address, where the server names none, and where it cannot be asked. */
export const withoutAddress = {
  none: 'This server names no address. Ask whoever told you about it.',
  unknown: 'The address stands here as soon as there is a connection.',
} as const
