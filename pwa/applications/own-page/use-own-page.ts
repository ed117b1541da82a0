import { useCallback, useEffect, useState } from 'react'
import { call, Refused } from '../../api/call.ts'
import { reachability } from '../../api/reachability.ts'
import { serverNow } from '../../api/server-time.ts'
import { deleteSetting, readSetting, writeSetting } from '../../device/device-db.ts'
import { ownApplicationSetting } from '../../device/forget-application.ts'
import { forgottenTokens, isForgotten } from '../../device/forgotten-tokens.ts'
import type { OwnApplications } from '../own-application.ts'
import { foldOwnChanges, knownFromReceipts, knownFromSent, newestKnown, ownChanges } from './own-page-state.ts'
import type { KnownApplication, OwnPageState } from './own-page-state.ts'

/** What an applicant's own page shows. `missing`: the server has no application under this link. */
export type OwnPage =
  | { readonly status: 'loading' | 'missing' | 'unreachable'; readonly reload: () => void }
  | {
      readonly status: 'ready'
      readonly state: OwnPageState
      readonly asOf: string
      /** The newest attempt to ask the server failed. */
      readonly stale: boolean
      readonly reload: () => void
    }

/**
 * The application that a token opens: painted from this device, and asked of the server on arrival, when the page is shown
 * again, when there is a network again, and when a change has gone out.
 */
export function useOwnPage(token: string, eventId: number, { disk, sent }: OwnApplications): OwnPage {
  const [kept, setKept] = useState<KnownApplication | null>(null)
  const [answer, setAnswer] = useState<'none' | 'fresh' | 'failed' | 'missing'>('none')

  const load = useCallback(async () => {
    // An answer is as old as its question: what goes out meanwhile is newer.
    const asOf = serverNow().toISOString()
    try {
      const fresh = { application: await call('getOwnApplication', { applicationToken: token }), asOf }
      // Removed from this device while the server was asked: nothing is written down any more.
      if (isForgotten(token, forgottenTokens.get())) return
      setKept((before) => newestKnown(before, fresh))
      setAnswer('fresh')
      await writeSetting(ownApplicationSetting(token), fresh)
    } catch (error) {
      const isMissing = error instanceof Refused && error.status === 404
      setAnswer(isMissing ? 'missing' : 'failed')
      if (isMissing) await deleteSetting(ownApplicationSetting(token))
    }
  }, [token])
  const reload = useCallback(() => void load().catch(() => undefined), [load])

  useEffect(() => {
    readSetting<KnownApplication>(ownApplicationSetting(token))
      .then((found) => setKept((before) => newestKnown(before, found)))
      .catch(() => undefined)
      .finally(reload)
    const onShown = () => document.visibilityState === 'visible' && reload()
    document.addEventListener('visibilitychange', onShown)
    const stop = reachability.subscribe(() => reachability.get() === 'reachable' && reload())
    return () => {
      document.removeEventListener('visibilitychange', onShown)
      stop()
    }
  }, [token, reload])

  const mine = sent.find((candidate) => candidate.token === token)
  const known = newestKnown(kept, knownFromReceipts(disk.receipts, token), mine && knownFromSent(eventId, mine))
  if (answer === 'missing') return { status: 'missing', reload }
  if (!known) return { status: answer === 'failed' ? 'unreachable' : 'loading', reload }
  const state = foldOwnChanges(known.application, ownChanges(disk.entries, known.application.id))
  return { status: 'ready', state, asOf: known.asOf, stale: answer === 'failed', reload }
}
