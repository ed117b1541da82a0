import { useState } from 'react'
import { useParams } from 'react-router-dom'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { formatTimes, formatEventDays } from '#shared/time/date-range.ts'
import { idFrom, paths } from '../paths.ts'
import { FilterChips } from '../ui/choice-fields.tsx'
import { Logo } from '../ui/logo.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { OrganizerEventPage } from './organizer-event-page.tsx'

/** Drawn on this device, so it works without a network. */
export function PosterScreen() {
  return (
    <OrganizerEventPage
      id={idFrom(useParams()['id'])}
      tabTitle="Poster"
      named
      page={(row) => ({ width: 'text', printable: row !== null })}
    >
      {({ event }) => <Posters event={event} />}
    </OrganizerEventPage>
  )
}

type Purpose = 'apply' | 'check-in'

const posters = {
  apply: {
    title: 'Become a Beacon',
    lead: 'Help people find each other at',
    press: 'Point your camera here to apply',
    codeLabel: 'QR code: apply to be a Beacon at',
    path: paths.apply,
    query: '?from=qr',
  },
  'check-in': {
    title: 'Beacons, check in here',
    lead: 'Thank you for helping people meet at',
    press: 'Point your camera here, then press “I’m here”',
    codeLabel: 'QR code: check in as a Beacon at',
    path: paths.checkIn,
    query: '',
  },
} as const

const choices = [
  { value: 'apply', label: 'Become a Beacon' },
  { value: 'check-in', label: 'Check in at the door' },
] as const

function Posters({ event }: { event: EventDocument }) {
  const [purpose, setPurpose] = useState<Purpose>('apply')
  return (
    <>
      <div className="mb-4">
        <FilterChips label="Poster" chips={choices} value={purpose} onChange={setPurpose} />
      </div>
      <Poster event={event} purpose={purpose} />
    </>
  )
}

function Poster({ event, purpose }: { event: EventDocument; purpose: Purpose }) {
  const { title, lead, press, codeLabel, path, query } = posters[purpose]
  const address = `${location.origin}${path(event.id)}`
  const short = address.replace(/^https?:\/\//, '')
  const times = formatTimes(event)
  const place = [event.city, event.state].filter(Boolean).join(', ')
  return (
    <article className="mx-auto flex max-w-2xl flex-col items-center rounded-box border border-base-300 bg-white [--color-primary:oklch(79%_0.158_72)] px-6 py-10 text-center [overflow-wrap:anywhere] text-black sm:px-12 sm:py-14 print:max-w-none print:border-0 print:p-0">
      <p className="flex items-center gap-2 text-lg font-semibold">
        <Logo className="size-8" />
        Beaconry
      </p>
      <div aria-hidden="true" className="mt-6 h-1.5 w-24 bg-primary print:[print-color-adjust:exact]" />
      <h1 className="mt-6 text-4xl sm:text-5xl print:text-5xl">{title}</h1>
      <p className="mt-3 max-w-md text-lg text-balance">{lead}</p>
      <p className="mt-4 text-2xl font-semibold text-balance sm:text-3xl print:text-3xl">{event.name}</p>
      <p className="mt-3 text-lg">
        {formatEventDays(event)}
        {times && <span className="block">{times}</span>}
      </p>
      <p className="mt-1 text-lg">
        {event.location}
        {place && ` · ${place}`}
      </p>
      <QrCode
        text={`${address}${query}`}
        label={`${codeLabel} ${short}`}
        className="mt-4 w-full max-w-80 print:max-w-[11cm]"
      />
      <p className="mt-4 text-lg font-medium">{press}</p>
      <p className="mt-1 text-base break-all">{short}</p>
    </article>
  )
}
