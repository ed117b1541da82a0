import { CalendarPlus, UserRoundCheck, UsersRound } from 'lucide-react'
import { paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { HallScene } from '../ui/hall-scene.tsx'
import { StatusBadge, SyncLabel } from '../ui/status-badge.tsx'
import { ClosingCall, onHall } from './closing-call.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'

const steps = [
  {
    Icon: CalendarPlus,
    title: 'Create your event',
    text: 'Say what, when and where, and what a Beacon gets for helping. Your page is public at once.',
  },
  {
    Icon: UserRoundCheck,
    title: 'Approve Beacon volunteers',
    text: 'Applications arrive on your phone. Approve the people you want your guests to meet first.',
  },
  {
    Icon: UsersRound,
    title: 'Enhance networking',
    text: 'Beacons welcome people, make introductions and keep the room talking.',
  },
]

function Hero({ signedIn }: { signedIn: boolean }) {
  return (
    <section className="hall overflow-hidden bg-hall text-hall-content">
      <div className="mx-auto max-w-6xl px-4 pt-12 sm:px-6 sm:pt-20">
        <h1 className="max-w-3xl text-4xl sm:text-5xl">Nobody should stand alone at your event.</h1>
        <p className="mt-4 max-w-2xl text-lg text-hall-muted sm:text-xl">
          Beacons are volunteers who help your guests meet. Publish your event, choose your Beacons, and run it all from
          your phone, even when the venue’s wifi does not.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          {signedIn ? (
            <ButtonLink to={paths.dashboard} size="large">
              Go to Dashboard
            </ButtonLink>
          ) : (
            <ButtonLink to={paths.eventBuilder} size="large">
              Create Your First Event
            </ButtonLink>
          )}
          <ButtonLink to={paths.howItWorks} size="large" variant="ghost" className={onHall}>
            See How It Works
          </ButtonLink>
        </div>
      </div>
      <HallScene className="mt-8 h-48 sm:mt-6 sm:h-64" />
    </section>
  )
}

function Steps() {
  return (
    <section aria-labelledby="steps" className="mx-auto max-w-6xl px-4 py-14 sm:px-6 sm:py-20">
      <h2 id="steps" className="text-3xl">
        Three steps to a room that talks
      </h2>
      <ol className="mt-8 grid gap-8 md:grid-cols-3 md:gap-10">
        {steps.map(({ Icon, title, text }, index) => (
          <li key={title} className="flex gap-4 border-t-2 border-base-content pt-5 md:flex-col">
            <Icon className="size-8 shrink-0 text-signal" strokeWidth={1.75} />
            <div>
              <h3 className="text-xl">
                {index + 1}. {title}
              </h3>
              <p className="mt-1.5 text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function OnTheFloor() {
  return (
    <section aria-labelledby="floor" className="border-y border-base-300 bg-base-100">
      <div className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-14 sm:px-6 sm:py-20 md:grid-cols-2">
        <div>
          <h2 id="floor" className="text-3xl">
            Made for halls where the network gives up
          </h2>
          <p className="mt-4 text-lg text-muted">
            Everything you decide is saved on your phone first and sent by itself when there is a network again.
            Beaconry always tells you which of the two it is, and never says “sent” before it is true.
          </p>
          <ul className="mt-6 flex flex-col gap-3">
            <li>
              <SyncLabel state="on-this-phone" detail="no network needed" />
            </li>
            <li>
              <SyncLabel state="sent" detail="our server has it" />
            </li>
            <li>
              <SyncLabel state="confirmed" detail="every device shows it" />
            </li>
          </ul>
        </div>
        <figure
          aria-label="Example of an approved volunteer waiting for the network"
          className="mx-auto w-full max-w-sm"
        >
          <Card className="shadow-float">
            <div className="flex items-center gap-3">
              <Avatar initials="AR" tone="lamp" />
              <div className="min-w-0 flex-1">
                <p className="font-semibold">Ana Ruiz</p>
                <p className="text-sm text-muted">Product Lead at Northwind</p>
              </div>
              <StatusBadge status="approved" unconfirmed />
            </div>
            <p className="mt-4">“I know half the room and like introducing the other half to it.”</p>
            <p className="mt-4 border-t border-base-300 pt-3">
              <SyncLabel state="on-this-phone" detail="sent by itself later" />
            </p>
          </Card>
        </figure>
      </div>
    </section>
  )
}

export function LandingScreen() {
  usePageTitle('Nobody should stand alone at your event')
  const signedIn = useSession().user !== null
  return (
    <>
      <Hero signedIn={signedIn} />
      <Steps />
      <OnTheFloor />
      <ClosingCall />
    </>
  )
}
