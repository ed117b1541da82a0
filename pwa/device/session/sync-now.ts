import { reachability, observable, singleFlight, serverNow, eventsSource, replayer } from '../../sync/index.ts'
import { pullAccount } from './follow-account.ts'

/** `in-step`: all that could leave has left, and everything the server has is here. `failed`: it answers, but not with that. */
export type SyncOutcome = 'in-step' | 'unreachable' | 'failed'

/** When this page last brought everything into step on request (ISO); null before. */
export const syncedAt = observable<string | null>(null)

/** Sends what waits, then asks for everything new, now and in this tab. Several at once are one. */
export const syncNow = singleFlight(async (): Promise<SyncOutcome> => {
  const { end } = await replayer.wake('online')
  if (end === 'unreachable') return 'unreachable'
  const arrived = (await pullAccount()) ?? (await pullPublic())
  if (!arrived || end === 'storage-failed' || end === 'update-needed')
    return reachability.get() === 'unreachable' ? 'unreachable' : 'failed'
  syncedAt.set(serverNow().toISOString())
  return 'in-step'
})

/** What a visitor follows: the list of events. */
async function pullPublic(): Promise<boolean> {
  await eventsSource().load()
  const { status, stale } = eventsSource().get()
  return status === 'ready' && !stale
}
