import { useObservable } from '../api/observable.ts'
import { reachability } from '../api/reachability.ts'
import { Alert } from '../ui/alert.tsx'

/**
 * Says, while our server cannot be reached, that this form needs it and keeps what is typed. `failed`: an attempt has just
 * shown it, and what did not happen is named. `doing` begins the sentence.
 */
export function NeedsConnection({
  failed,
  failedTitle,
  doing = 'Signing in',
}: {
  failed: boolean
  failedTitle: string
  doing?: string | undefined
}) {
  const unreachable = useObservable(reachability) === 'unreachable'
  if (!unreachable && !failed) return null
  return (
    <Alert variant="signal" title={failed ? failedTitle : 'No connection right now'}>
      <output>
        {doing} needs a connection. What you type stays here
        {failed ? '; try again when there is one.' : ' meanwhile.'}
      </output>
    </Alert>
  )
}
