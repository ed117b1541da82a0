import { serverNow, syncNow as syncOnce } from '../../sync/index.ts'
import { observable } from '../../browser/observable.ts'
import { singleFlight } from '../../browser/single-flight.ts'
import { publicEvents } from '../public-events.ts'

export type SyncOutcome = Awaited<ReturnType<typeof syncOnce>>

/** This is an ISO instant; it is null before the first success. */
export const syncedAt = observable<string | null>(null)

/** Sends what waits, then pulls in this tab. Several at once are one. */
export const syncNow = singleFlight(async (): Promise<SyncOutcome> => {
  const outcome = await syncOnce(pullPublic)
  if (outcome === 'in-step') syncedAt.set(serverNow().toISOString())
  return outcome
})

async function pullPublic(): Promise<boolean> {
  await publicEvents.ask()
  const { answer, failure } = publicEvents.known.get()
  return answer !== null && failure === null
}
