import { useObservable, reachability } from '../../sync/index.ts'
import { Button } from '../button.tsx'
import { formatMoment } from './local-time.ts'
import { useNow } from './use-now.ts'

/** Renders only when the content may be outdated. */
export function AsOf({ asOf, stale, onReload }: { asOf: string | null; stale: boolean; onReload: () => void }) {
  const unreachable = useObservable(reachability) === 'unreachable'
  const now = useNow()
  if (!asOf || !(stale || unreachable)) return null
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <output>Saved on this device, as of {formatMoment(asOf, now)}.</output>
      <Button variant="ghost" size="small" onClick={onReload}>
        Check again
      </Button>
    </div>
  )
}
