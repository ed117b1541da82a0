import { Link } from 'react-router-dom'
import { Glyph } from './status-mark.tsx'
import type { SyncState } from './status-mark.tsx'

export type SyncBadgeState = 'all-saved' | 'saving' | 'offline' | 'attention'

const looks: Record<SyncBadgeState, { glyph: SyncState; tone: string }> = {
  'all-saved': { glyph: 'confirmed', tone: 'text-hall-muted' },
  saving: { glyph: 'sent', tone: 'text-hall-content' },
  offline: { glyph: 'on-this-phone', tone: 'text-hall-signal' },
  attention: { glyph: 'needs-attention', tone: 'bg-hall-raised text-hall-signal' },
}

function words(state: SyncBadgeState, waiting: number, attention: number): { short: string; long: string } {
  if (state === 'attention')
    return { short: String(attention), long: `${attention} ${attention === 1 ? 'needs' : 'need'} attention` }
  if (state === 'saving') return { short: String(waiting), long: `Sending ${waiting}` }
  if (state === 'all-saved') return { short: 'Saved', long: 'All saved' }
  return waiting > 0
    ? { short: `Offline · ${waiting}`, long: `Offline · ${waiting} saved on this phone` }
    : { short: 'Offline', long: 'Offline' }
}

/** Where this phone's changes are, always in sight in the header; a press opens the list of them. */
export function SyncBadge({
  state,
  waiting = 0,
  attention = 0,
  to,
  onClick,
}: {
  state: SyncBadgeState
  /** Changes not yet confirmed. */
  waiting?: number | undefined
  attention?: number | undefined
} & ({ to: string; onClick?: () => void } | { to?: undefined; onClick: () => void })) {
  const { glyph, tone } = looks[state]
  const { short, long } = words(state, waiting, attention)
  const className = `inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 rounded-full px-3 text-sm font-medium tabular-nums hover:bg-hall-raised ${tone}`
  const inside = (
    <>
      <Glyph of={glyph} />
      <span className="sr-only">{long}</span>
      <span aria-hidden="true" className="sm:hidden">
        {short}
      </span>
      <span aria-hidden="true" className="max-sm:hidden">
        {long}
      </span>
    </>
  )
  return to === undefined ? (
    <button type="button" onClick={onClick} className={className}>
      {inside}
    </button>
  ) : (
    <Link to={to} onClick={onClick} className={className}>
      {inside}
    </Link>
  )
}
