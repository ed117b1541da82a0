import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { EventRow } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { isReadyTime, verdictOf } from './ready-lines.ts'
import { useReadyResult } from './ready-results.ts'
import { resultWords } from './ready-words.ts'
import { ToneGlyph } from './tone-glyph.tsx'

interface ReadyLinkProps {
  readonly row: EventRow
  readonly named?: boolean
  readonly className?: string
}

/** Leads to the check of an event in the days before it. @param props.named names the event, where the page does not */
export function ReadyLink({ row, named = false, className = '' }: ReadyLinkProps) {
  const now = useNow()
  const kept = useReadyResult(row)
  const { event } = row
  if (!isReadyTime(event, now)) return null
  const result = kept?.result
  const tone = !result ? 'unknown' : kept.stale ? 'amber' : verdictOf(result.facts).tone
  const status = !result ? 'Not checked yet' : kept.stale ? `Check again: ${kept.stale}` : resultWords(result, now)
  return (
    <Link
      to={paths.ready(event.id)}
      className={`no-print flex min-h-11 items-center gap-2 rounded-field border border-base-300 bg-base-100 px-3 py-1.5 hover:border-edge ${className}`}
    >
      <ToneGlyph tone={tone} />
      <span className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
        <span className="block font-medium">Ready for the floor{named && `: ${event.name}`}</span>
        <span className="block text-muted">{kept === undefined ? '…' : status}</span>
      </span>
      <ArrowRight className="size-4 shrink-0 text-muted" />
    </Link>
  )
}
