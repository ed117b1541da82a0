import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Illustration, type IllustrationName } from '../ui/illustration.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { ClosingCall } from './closing-call.tsx'
import { Rich, type RichText } from './reading.tsx'

interface Step {
  readonly title: string
  readonly text: RichText
  readonly points: readonly RichText[]
}

const organizerSteps: readonly Step[] = [
  {
    title: 'Create your event',
    text: 'Say what, when and where, and what a Beacon gets for helping. The page is public at once, with an address you can print on a poster.',
    points: [
      'A free ticket, dinner with the speakers, a name on the programme: say what Beacons get, in one sentence.',
      'Ask your own questions in addition to the five that every application has, or instead of them.',
      'Close applications on a date, at a number of Beacons, or by hand.',
    ],
  },
  {
    title: 'Approve Beacon volunteers',
    text: 'Applications arrive on your phone, with an alert if you like. Read why each applicant wants to do this, and decide.',
    points: [
      'Approve, reject, and take it back: a decision can be undone for a moment before it leaves.',
      'No network in the hall? Decide anyway. Your phone keeps every decision and sends it once, automatically.',
      'Approved Beacons appear on the event page with name, job and bio. No one else ever does.',
    ],
  },
  {
    title: 'Enhance networking',
    text: 'On the day your Beacons know why they are there: to welcome people who came alone, and to introduce those who should meet.',
    points: [
      'Brief them together: [a run sheet for fifteen minutes](/blog/brief-your-beacons).',
      'Guests have read on the event page who they are, so no one has to ask twice.',
      'Keep the list on your phone. It opens without a network, too.',
    ],
  },
]

const attendeeWays: readonly { title: string; text: RichText; action: { label: string; to: string } }[] = [
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

const pictures: readonly IllustrationName[] = ['hall', 'inbox', 'beacons']

function Steps() {
  return (
    <ol className="flex flex-col gap-12 sm:gap-16">
      {organizerSteps.map(({ title, text, points }, index) => (
        <li key={title} className="grid items-center gap-x-12 gap-y-6 md:grid-cols-[minmax(0,1fr)_20rem]">
          <div>
            <h3 className="text-2xl">
              <span className="text-signal">{index + 1}.</span> {title}
            </h3>
            <p className="mt-2 max-w-prose text-lg">{text}</p>
            <ul className="mt-4 flex max-w-prose list-disc flex-col gap-2 pl-5 text-muted marker:text-edge">
              {points.map((point) => (
                <li key={point}>
                  <Rich text={point} />
                </li>
              ))}
            </ul>
          </div>
          <Illustration
            name={pictures[index] ?? 'hall'}
            className="mx-auto h-40 w-60 max-md:-order-1 md:h-50 md:w-75"
          />
        </li>
      ))}
    </ol>
  )
}

function Attendees() {
  return (
    <div className="grid gap-4 md:grid-cols-2 lg:gap-6">
      {attendeeWays.map(({ title, text, action }) => (
        <Card key={title} as="section" className="h-full [&>:first-child]:flex [&>:first-child]:h-full">
          <div className="flex flex-col items-start gap-3">
            <h3 className="text-xl">{title}</h3>
            <p className="flex-1 text-muted">{text}</p>
            <ButtonLink to={action.to} variant="secondary">
              {action.label}
            </ButtonLink>
          </div>
        </Card>
      ))}
    </div>
  )
}

export function HowItWorksScreen() {
  return (
    <>
      <TitledPage title="How It Works" lead="Three steps for organizers, two ways in for everyone else.">
        <section aria-labelledby="organizers" className="mt-10">
          <h2 id="organizers" className="mb-8 border-t-2 border-base-content pt-4 text-3xl">
            For organizers
          </h2>
          <Steps />
        </section>
        <section aria-labelledby="attendees" className="mt-16">
          <h2 id="attendees" className="mb-8 border-t-2 border-base-content pt-4 text-3xl">
            For attendees
          </h2>
          <Attendees />
        </section>
      </TitledPage>
      <ClosingCall />
    </>
  )
}
