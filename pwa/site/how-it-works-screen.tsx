import { attendeeWays, organizerSteps } from './content/how-it-works.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Illustration, type IllustrationName } from '../ui/illustration.tsx'
import { Page } from '../ui/page.tsx'
import { ClosingCall } from './closing-call.tsx'
import { usePageTitle } from '../page/page-title.ts'
import { Rich } from './reading/rich.tsx'

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

/** From an empty hall to people who talk: the organizer's three steps, and what guests can do. */
export function HowItWorksScreen() {
  usePageTitle('How It Works')
  return (
    <>
      <Page title="How It Works" lead="Three steps for organizers, two ways in for everyone else.">
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
      </Page>
      <ClosingCall />
    </>
  )
}
