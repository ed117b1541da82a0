import { reachability, type questions } from '../../sync/index.ts'
import { useObservable } from '../../browser/observable.ts'
import { Alert } from '../alert.tsx'
import { Button, TryAgain } from '../button.tsx'
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
      <Button variant="ghost" size="small" flush="start" onClick={onReload}>
        Check again
      </Button>
    </div>
  )
}

/** Says above an answer how old it is, and why the server did not give a newer one. */
export function NewestOrWhy(props: {
  asked: Pick<questions.Answered<unknown>, 'asOf' | 'failure' | 'ask'>
  failedTitle: string
}) {
  const { asOf, failure, ask } = props.asked
  const reload = () => void ask()
  return (
    <>
      {failure !== null && failure.kind !== 'unreachable' && (
        <Alert className="mb-6" variant="destructive" title={props.failedTitle} action={<TryAgain onClick={reload} />}>
          {failure.reason}
        </Alert>
      )}
      <AsOf asOf={asOf} stale={failure !== null} onReload={reload} />
    </>
  )
}
