import { byServerClock } from '../api/server-time.ts'
import { neverLeft } from '../outbox/outbox-machine.ts'
import { entryLabel } from '../session/entry-label.ts'
import type { OutboxItem } from '../session/use-outbox.ts'
import { Button } from '../ui/button.tsx'
import { SyncMark } from '../ui/status-mark.tsx'
import { formatMoment } from '../page/local-time.ts'
import type { Repairs } from './use-repairs.ts'

/** What a change that needs nobody is doing right now. */
function progressOf({ entry, reason }: OutboxItem, unreachable: boolean): string {
  if (entry.discarding) return 'being cancelled'
  if (reason) return reason
  switch (entry.state) {
    case 'held':
      return 'can be undone for a moment'
    case 'sending':
      return 'on its way'
    case 'acknowledged':
      return 'the server has it'
    default:
      if (unreachable) return 'waits for a connection'
      return entry.attempts > 0
        ? `tried ${entry.attempts === 1 ? 'once' : `${entry.attempts} times`}, tries again by itself`
        : 'goes out in a moment'
  }
}

/** One change on its way, with the way to stop it. */
export function WaitingRow({
  item,
  unreachable,
  repairs,
  now,
}: {
  item: OutboxItem
  unreachable: boolean
  repairs: Repairs
  now: Date
}) {
  const { entry, mark } = item
  const label = entryLabel(entry)
  const word = neverLeft(entry) ? 'Undo' : 'Cancel'
  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-base-300 px-4 py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2">{label}</p>
        <p className="flex flex-wrap gap-x-2 text-sm text-muted">
          <SyncMark state={mark} detail={progressOf(item, unreachable)} />
          <span>{formatMoment(byServerClock(entry.createdAt), now)}</span>
        </p>
      </div>
      {entry.state !== 'acknowledged' && !entry.discarding && (
        <Button variant="ghost" size="small" aria-label={`${word}: ${label}`} onClick={() => repairs.discard(entry)}>
          {word}
        </Button>
      )}
    </li>
  )
}
