import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Badge } from './badge.tsx'

export type ShownStatus = 'pending' | 'approved' | 'rejected' | 'withdrawn'
type SyncState = 'saving' | 'not-saved' | 'on-this-phone' | 'sent' | 'confirmed' | 'needs-attention'

/** They differ, so that states can be distinguished without colors. */
const shapes: Record<ShownStatus | SyncState, ReactNode> = {
  pending: <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="2" />,
  approved: <circle cx="8" cy="8" r="6.5" fill="currentColor" />,
  rejected: <path d="m3.5 3.5 9 9m0-9-9 9" fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />,
  withdrawn: <path d="M3 8h10" fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />,
  saving: <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  'not-saved': (
    <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.8" strokeDasharray="3.2 3.1" />
  ),
  'on-this-phone': (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.8" />
      <path d="M8 8V2a6 6 0 0 1 6 6Z" fill="currentColor" />
    </>
  ),
  sent: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.8" />
      <path d="M8 2a6 6 0 0 0 0 12Z" fill="currentColor" />
    </>
  ),
  confirmed: <circle cx="8" cy="8" r="6.5" fill="currentColor" />,
  'needs-attention': <path d="M8 1.6 15.2 14H.8Z" fill="currentColor" strokeLinejoin="round" />,
}

/** Is used where the word is next to it anyway. */
export function Glyph({ of, className = '' }: { of: ShownStatus | SyncState; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 16 16" className={`size-3.5 shrink-0 ${className}`} aria-hidden="true">
      {shapes[of]}
    </svg>
  )
}

export const statusWords: Record<ShownStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
}
const statusTones = { pending: 'signal', approved: 'success', rejected: 'quiet', withdrawn: 'quiet' } as const

/** `unconfirmed`: decided here, without the server's answer; nothing turns green. */
export function StatusBadge({ status, unconfirmed = false }: { status: ShownStatus; unconfirmed?: boolean }) {
  const tone = unconfirmed && status === 'approved' ? 'quiet' : statusTones[status]
  return (
    <Badge tone={tone} icon={<Glyph of={status} />}>
      {statusWords[status]}
    </Badge>
  )
}

const syncLooks: Record<SyncState, { word: string; tone: string }> = {
  saving: { word: 'saving', tone: 'text-signal' },
  'not-saved': { word: 'not saved yet', tone: 'text-error' },
  'on-this-phone': { word: 'saved on this device', tone: 'text-signal' },
  sent: { word: 'sent', tone: 'text-info' },
  confirmed: { word: 'confirmed', tone: 'text-success' },
  'needs-attention': { word: 'needs attention', tone: 'text-error' },
}

/** `detail` follows the word; `compact` leaves the word to a tooltip. */
export function SyncLabel(props: { state: SyncState; detail?: ReactNode; compact?: boolean }) {
  const { state, detail, compact } = props
  const { word, tone } = syncLooks[state]
  return (
    <span title={compact ? word : undefined} className={`inline-flex items-start gap-1.5 text-sm font-medium ${tone}`}>
      <Glyph of={state} className="mt-1" />
      <span className={compact ? 'sr-only' : ''}>
        {word}
        {detail && <span className="font-normal text-muted"> · {detail}</span>}
      </span>
    </span>
  )
}

/**
 * `reading`: the queue was not read yet; `not-saved`: changes that the storage does not take, or it does not answer.
 */
type SyncBadgeState = 'all-saved' | 'saving' | 'offline' | 'attention' | 'reading' | 'not-saved'

const looks: Record<SyncBadgeState, { glyph: SyncState; tone: string }> = {
  'all-saved': { glyph: 'confirmed', tone: 'text-hall-muted' },
  saving: { glyph: 'sent', tone: 'text-hall-content' },
  offline: { glyph: 'on-this-phone', tone: 'text-hall-signal' },
  reading: { glyph: 'saving', tone: 'text-hall-muted' },
  'not-saved': { glyph: 'not-saved', tone: 'bg-hall-raised text-hall-signal' },
  attention: { glyph: 'needs-attention', tone: 'bg-hall-raised text-hall-signal' },
}

function words(state: SyncBadgeState, waiting: number, attention: number): { short: string; long: string } {
  if (state === 'attention')
    return { short: String(attention), long: `${attention} ${attention === 1 ? 'needs' : 'need'} attention` }
  if (state === 'reading') return { short: 'Loading', long: 'Loading' }
  if (state === 'not-saved')
    return { short: 'Not saved', long: waiting > 0 ? 'Not saved yet' : 'Storage not responding' }
  if (state === 'saving') return { short: `Sending ${waiting}`, long: `Sending ${waiting}` }
  if (state === 'all-saved') return { short: 'Saved', long: 'All saved' }
  return waiting > 0
    ? { short: `Offline · ${waiting}`, long: `Offline · ${waiting} saved on this device` }
    : { short: 'Offline', long: 'Offline' }
}

/** A press opens the list of changes. */
export function SyncBadge(props: { state: SyncBadgeState; waiting: number; attention: number; to: string }) {
  const { state, waiting, attention, to } = props
  const { glyph, tone } = looks[state]
  const { short, long } = words(state, waiting, attention)
  const className = `inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 rounded-full px-3 text-sm font-medium tabular-nums hover:bg-hall-raised ${tone}`
  return (
    <Link to={to} className={className}>
      <Glyph of={glyph} />
      <span className="sr-only">{long}</span>
      <span aria-hidden="true" className="max-[20rem]:hidden sm:hidden">
        {short}
      </span>
      <span aria-hidden="true" className="max-sm:hidden">
        {long}
      </span>
    </Link>
  )
}
