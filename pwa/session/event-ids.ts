import { call, Refused } from '../api/call.ts'
import { reachability } from '../api/reachability.ts'
import { singleFlight } from '../api/single-flight.ts'
import { deleteSetting, readSetting, writeSetting } from '../device/device-db.ts'
import { createEvent } from '../outbox/mutations/create-event.ts'
import type { CreateEvent } from '../outbox/mutations/create-event.ts'
import { outboxStore } from '../outbox/outbox.ts'

/** No number is left for a new event, and getting some needs the server. */
export class NoEventId extends Error {
  override readonly name = 'NoEventId'
  constructor() {
    super(
      'Creating an event on this device needs a connection once. Please connect and try again; what you typed is kept.',
    )
  }
}

/** An event number that this device was given. */
export interface EventLease {
  readonly id: number
  /** Says that it was given to this account, also to a server that was brought back from an earlier day. */
  readonly proof?: string
}

interface Held {
  readonly free: readonly EventLease[]
  /** The numbers taken last, so that an answer that was under way meanwhile does not bring one back. */
  readonly recent: readonly number[]
}

const most = 30
/** So many events at least can be created in a row after the network was lost. */
const refillUnder = 25
const recentKept = 100
/** The server takes no more; a queue that holds more creations than this has long lost the network. */
const mostNamed = 500
const settingOf = (userId: number) => `event-numbers/${userId}`
/** As an earlier version of the app kept them: numbers without proofs. */
const formerSettingOf = (userId: number) => `event-ids/${userId}`

/**
 * Hands a real event number of this device's lease to `use`, so that an event created without a network has its final address
 * at once. No other tab gets the same number; when `use` fails, it is free again.
 * @throws NoEventId when none is left and the server cannot be reached; Refused when it gives none; whatever `use` throws
 */
export async function withEventId<T>(userId: number, use: (lease: EventLease) => Promise<T>): Promise<T> {
  const used = (await giveFree(userId, use)) ?? (await refillThenGive(userId, use))
  if (!used) throw new NoEventId()
  if (reachability.get() === 'reachable') void topUpEventIds(userId).catch(() => undefined)
  return used.value
}

async function refillThenGive<T>(userId: number, use: (lease: EventLease) => Promise<T>) {
  try {
    await renewEventIds(userId)
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new NoEventId()
  }
  return await giveFree(userId, use)
}

async function giveFree<T>(
  userId: number,
  use: (lease: EventLease) => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  return await exclusively(async () => {
    const held = await heldBy(userId)
    const waiting = new Set(await waitingIds(userId))
    const [first, ...free] = held.free.filter(({ id }) => !waiting.has(id))
    if (!first) return undefined
    await keep(userId, { free, recent: [...held.recent, first.id].slice(-recentKept) })
    try {
      return { value: await use(first) }
    } catch (error) {
      await keep(userId, { free: [first, ...free], recent: held.recent })
      throw error
    }
  })
}

/** Asks for more numbers when they run low; called whenever the server answers. */
export async function topUpEventIds(userId: number): Promise<void> {
  const { free } = await heldBy(userId)
  if (free.length < refillUnder) await renewEventIds(userId)
}

/** Brings the numbers into step with the server: those it knows as this device's and unused, filled up. */
export const renewEventIds = singleFlight(async (userId: number): Promise<void> => {
  const { recent } = await heldBy(userId)
  const besides = [...new Set([...recent, ...(await waitingIds(userId))])].slice(-mostNamed)
  // Not under the lock: an event is created meanwhile, with what is here, however slow the network is.
  const { ids, proofs } = await call('leaseEventIds', { body: { count: most, besides } })
  await exclusively(async () => {
    const now = await heldBy(userId)
    const taken = new Set([...now.recent, ...(await waitingIds(userId))])
    const leases = ids.map((id, index) => ({ id, proof: proofs[index] }) as EventLease)
    await keep(userId, { free: leases.filter(({ id }) => !taken.has(id)), recent: now.recent })
  })
})

/** The numbers of events that wait in the queue to be created. */
async function waitingIds(userId: number): Promise<number[]> {
  const entries = await outboxStore.entriesOf(userId)
  return entries
    .filter(({ mutation }) => mutation === createEvent.name)
    .map(({ args }) => (args as Partial<CreateEvent> | null)?.id)
    .filter((id) => typeof id === 'number')
}

async function heldBy(userId: number): Promise<Held> {
  const held = await readSetting<Held>(settingOf(userId))
  if (held) return held
  const former = (await readSetting<readonly number[]>(formerSettingOf(userId))) ?? []
  return { free: former.map((id) => ({ id })), recent: [] }
}

async function keep(userId: number, held: Held): Promise<void> {
  await writeSetting(settingOf(userId), held)
  await deleteSetting(formerSettingOf(userId))
}

/** Two tabs must not take the same number. */
async function exclusively<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  return navigator.locks.request('beaconry-event-ids', work) as Promise<T>
}
