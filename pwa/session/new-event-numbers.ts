import { reachability } from '../api/reachability.ts'
import { singleFlight } from '../api/single-flight.ts'
import type { Entry } from '../outbox/entry.ts'
import type { CreateEvent } from '../outbox/mutations/create-event.ts'
import { outboxStore, replayer } from '../outbox/outbox.ts'
import { needsAnotherNumber, renumbered } from '../outbox/mutations/renumber.ts'
import { pendingEntries } from '../replica/view/pending-entries.ts'
import { renewEventIds, withEventId } from './event-ids.ts'
import { addMoved, followMoved } from './moved-events.ts'
import { sessionState } from './session-state.ts'

/** Each refusal is answered with another number; a server that refuses every number is not asked for ever. */
const mostTries = 5
const tries = new Map<number, number>()

/** Gives events whose number turned out to be taken another one, as soon as the server has said so; done once at start. */
export function followTakenNumbers(): void {
  let userId: number | null = null
  const check = () => {
    const { state, user } = sessionState.get()
    const present = state === 'signed-in' ? user.id : null
    if (present !== userId) {
      userId = present
      void followMoved(present).catch(() => undefined)
    }
    if (present !== null && pendingEntries.get().account.some(isToMove)) void moveAll(present).catch(() => undefined)
  }
  sessionState.subscribe(check)
  pendingEntries.subscribe(check)
  reachability.subscribe(check)
  check()
}

const isToMove = (entry: Entry) => needsAnotherNumber(entry) && (tries.get(entry.seq) ?? 0) < mostTries

const moveAll = singleFlight(async (userId: number): Promise<void> => {
  const refused = (await outboxStore.entriesOf(userId)).filter(isToMove)
  if (refused.length === 0) return
  // Where one number was taken, another device most likely holds the others too: the server knows which are free.
  await renewEventIds(userId)
  for (const entry of refused) await moveOne(userId, entry)
  void replayer.wake('online')
})

/** Nothing is to be moved any more: another tab did, or a person discarded it. */
class NotNeeded extends Error {
  override readonly name = 'NotNeeded'
}

async function moveOne(userId: number, refused: Entry): Promise<void> {
  const { id: from, fields } = refused.args as CreateEvent
  try {
    const to = await withEventId(userId, async (lease) => {
      const { result } = await outboxStore.change('all', ({ entries }) => {
        const put = renumbered(entries, refused, lease, () => crypto.randomUUID())
        return { put, result: put.length > 0 }
      })
      if (!result) throw new NotNeeded()
      tries.set(refused.seq, (tries.get(refused.seq) ?? 0) + 1)
      return lease.id
    })
    await addMoved(userId, { name: fields.name, from, to })
  } catch (error) {
    if (!(error instanceof NotNeeded)) throw error
  }
}
