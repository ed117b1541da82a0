import { CalendarPlus, UserRoundCheck, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
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
    <section className="hall bleed overflow-hidden bg-hall text-hall-content">
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
        <p className="mt-3">
          <Link
            to={paths.events}
            className="inline-flex min-h-11 items-center text-hall-muted underline decoration-hall-muted/60 underline-offset-4 hover:text-hall-content"
          >
            Find an event to help at
          </Link>
        </p>
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

/** `npm run screenshots -- -g public` makes them. */
const pictures = [
  {
    name: 'manage',
    alt: 'Applicants on a phone without a network: two are approved, saved on this device, with Undo',
    text: 'Organizers decide with one hand, with a network or without.',
  },
  {
    name: 'event',
    alt: 'An event on a phone: its cover, when and where it is, and who to meet',
    text: 'Guests see what, when, where, and whom to look for.',
  },
  {
    name: 'beacon',
    alt: 'A volunteer’s own page on a phone: You’re a Beacon, and what to know for the night',
    text: 'Beacons have all they need for the night in their pocket.',
  },
] as const

/** The picture of the reader's theme is shown; the other one is hidden and lazy, and so it is not loaded. */
const themes = [
  { theme: 'light', shown: '[[data-theme=beaconry-dark]_&]:hidden' },
  { theme: 'dark', shown: '[[data-theme=beaconry]_&]:hidden' },
] as const

/** They are not kept for later: without a network the page has one section less. */
function Product() {
  const [areMissing, setMissing] = useState(false)
  if (areMissing) return null
  return (
    <section aria-labelledby="product" className="mx-auto max-w-6xl px-4 pb-14 sm:px-6 sm:pb-20">
      <h2 id="product" className="text-3xl">
        One evening, on everybody’s phone
      </h2>
      <ul className="mt-8 grid gap-10 sm:grid-cols-3 sm:gap-6 lg:gap-12">
        {pictures.map(({ name, alt, text }) => (
          // A phone shows two below each other, which are enough.
          <li key={name} className={`mx-auto max-w-60 sm:max-w-72 ${name === 'event' ? 'max-sm:hidden' : ''}`}>
            <div className="overflow-hidden rounded-[1.75rem] border-4 border-base-content/85 bg-base-100 shadow-float">
              {themes.map(({ theme, shown }) => (
                <img
                  key={theme}
                  src={`/screenshots/landing-${name}-${theme}.webp`}
                  alt={alt}
                  width={585}
                  height={1266}
                  loading="lazy"
                  decoding="async"
                  onError={() => setMissing(true)}
                  className={`h-auto w-full ${shown}`}
                />
              ))}
            </div>
            <p className="mt-4 text-center text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ForVolunteers() {
  return (
    <section aria-labelledby="volunteers" className="mx-auto max-w-6xl px-4 pt-14 sm:px-6 sm:pt-20">
      <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-5 rounded-box bg-signal-soft px-5 py-8 sm:px-10">
        <div className="min-w-0 flex-[1_1_22rem]">
          <h2 id="volunteers" className="text-2xl">
            You like bringing people together?
          </h2>
          <p className="mt-2 text-muted">
            Be a Beacon for an evening. You need no account: pick an event, answer a few questions, and the organizer
            writes back.
          </p>
        </div>
        <ButtonLink to={paths.events} size="large">
          Find an Event to Help At
        </ButtonLink>
      </div>
    </section>
  )
}

function OnTheFloor() {
  return (
    <section aria-labelledby="floor" className="bleed border-y border-base-300 bg-base-100">
      <div className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-14 sm:px-6 sm:py-20 md:grid-cols-2">
        <div>
          <h2 id="floor" className="text-3xl">
            Made for halls where the network gives up
          </h2>
          <p className="mt-4 text-lg text-muted">
            Everything you decide is saved on your phone first and sent automatically when there is a network again.
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
              <SyncLabel state="on-this-phone" detail="sent automatically later" />
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
      <Product />
      <OnTheFloor />
      <ForVolunteers />
      <ClosingCall />
    </>
  )
}
