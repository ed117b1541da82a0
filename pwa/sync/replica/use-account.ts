import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import { useEffect, useMemo, useState } from 'react'
import { allowanceNow } from '#shared/billing/plan.ts'
import { useObservable } from '../../browser/observable.ts'
import { clockCorrection, serverNow, serverNowMs } from '../http/server-time.ts'
import { replicaState } from './replica-state.ts'

/** `setTimeout` takes no longer waits. */
const longestTimerMs = 2 ** 31 - 1

/** Paints again when the time `until` has come. */
function useTimeOf(until: string | undefined): Date {
  const [now, setNow] = useState(serverNow)
  // A corrected clock may bring a moment back that had seemed over.
  useEffect(() => clockCorrection.subscribe(() => setNow(serverNow())), [])
  useEffect(() => {
    if (until === undefined || Date.parse(until) <= now.getTime()) return
    const tick = () => setNow(serverNow())
    const timer = setTimeout(tick, Math.min(Math.max(0, Date.parse(until) - serverNowMs()), longestTimerMs))
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [until, now])
  return now
}

/** Returns null while it is not known. */
export function useAccount(): AccountDocument | null {
  const { account } = useObservable(replicaState)
  const now = useTimeOf(account?.canCreateUntil)
  return useMemo(
    () => account && { ...account, canCreateEvent: allowanceNow(account.canCreateEvent, account.canCreateUntil, now) },
    [account, now],
  )
}
