import type { RichText } from './content.ts'

export interface Step {
  readonly title: string
  readonly text: RichText
  /** What the step comes to in practice. */
  readonly points: readonly RichText[]
}

/** The organizer's way, in the order it is walked. */
export const organizerSteps: readonly Step[] = [
  {
    title: 'Create your event',
    text: 'Say what, when and where, and what a Beacon gets for helping. The page is public at once, with an address you can print on a poster.',
    points: [
      'A free ticket, dinner with the speakers, a name on the programme: say what Beacons get, in one sentence.',
      'Ask your own questions beside the five every application has, or instead of them.',
      'Close applications on a date, at a number of Beacons, or by hand.',
    ],
  },
  {
    title: 'Approve Beacon volunteers',
    text: 'Applications arrive on your phone, with an alert if you like. Read why somebody wants to do this, and decide.',
    points: [
      'Approve, reject, and take it back: a decision can be undone for a moment before it leaves.',
      'No network in the hall? Decide anyway. Your phone keeps every decision and sends it once, by itself.',
      'Approved Beacons appear on the event page with name, job and bio. Nobody else ever does.',
    ],
  },
  {
    title: 'Enhance networking',
    text: 'On the day your Beacons know why they are there: to welcome people who came alone, and to introduce those who should meet.',
    points: [
      'Brief them together: [a run sheet for fifteen minutes](/blog/brief-your-beacons).',
      'Guests saw their faces on the event page, so somebody is already familiar.',
      'Keep the list on your phone. It opens without a network, too.',
    ],
  },
]

/** What guests can do. */
export const attendeeWays: readonly { title: string; text: RichText; action: { label: string; to: string } }[] = [
  {
    title: 'Find Beacons',
    text: 'Open the event’s page before you go. “Meet the Beacons” shows who will be there to introduce you: what they do, what they know, and how to recognise a good opening. Walk up to one of them first; introductions are what they came for.',
    action: { label: 'Browse Events', to: '/events' },
  },
  {
    title: 'Become a Beacon',
    text: 'You like bringing people together and know a field or a town well? Pick an event, press “Apply to be a Beacon” and answer a few questions. No account is needed, and an application written without a network is sent as soon as there is one.',
    action: { label: 'Find an Event to Help', to: '/events' },
  },
]
