import { reachability, observable, singleFlight, serverNow, publicEvents, replayer } from '../../sync/index.ts'
import { pullAccount } from './follow-account.ts'

/** `failed`: the server answers, but not all could be sent or pulled. */
export type SyncOutcome = 'in-step' | 'unreachable' | 'failed'

/** ISO; null before the first success. */
export const syncedAt = observable<string | null>(null)

/** Sends what waits, then pulls in this tab. Several at once are one. */
export const syncNow = singleFlight(async (): Promise<SyncOutcome> => {
  const { end } = await replayer.wake('online')
  if (end === 'unreachable') return 'unreachable'
  const arrived = (await pullAccount()) ?? (await pullPublic())
  if (!arrived || end === 'storage-failed' || end === 'update-needed')
    return reachability.get() === 'unreachable' ? 'unreachable' : 'failed'
  syncedAt.set(serverNow().toISOString())
  return 'in-step'
})

async function pullPublic(): Promise<boolean> {
  await publicEvents.ask()
  const { answer, failure } = publicEvents.known.get()
  return answer !== null && failure === null
}
