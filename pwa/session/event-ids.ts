import { call } from '../api/call.ts'
import { readSetting, writeSetting } from '../device/device-db.ts'

/** No number is left for a new event, and getting some needs the server. */
export class NoEventId extends Error {
  override readonly name = 'NoEventId'
  constructor() {
    super(
      'Creating an event on this phone needs a connection once. Please connect and try again; what you typed is kept.',
    )
  }
}

const most = 10
const refillUnder = 5
const settingOf = (userId: number) => `event-ids/${userId}`

/**
 * A real event number from this device's lease, so that an event created without a network has its final address at once.
 * @throws NoEventId when none is left and the server cannot be reached
 */
export async function takeEventId(userId: number): Promise<number> {
  return exclusively(async () => {
    let ids = await leased(userId)
    if (ids.length === 0) {
      await refill(userId, ids).catch(() => undefined)
      ids = await leased(userId)
    }
    const [first, ...rest] = ids
    if (first === undefined) throw new NoEventId()
    await writeSetting(settingOf(userId), rest)
    return first
  })
}

/** Tops the lease up when it runs low; called whenever the server answers. */
export async function refillEventIds(userId: number): Promise<void> {
  await exclusively(async () => {
    const ids = await leased(userId)
    if (ids.length < refillUnder) await refill(userId, ids)
  })
}

async function leased(userId: number): Promise<readonly number[]> {
  return (await readSetting<readonly number[]>(settingOf(userId))) ?? []
}

async function refill(userId: number, have: readonly number[]): Promise<void> {
  const { ids } = await call('leaseEventIds', { body: { count: most - have.length } })
  await writeSetting(settingOf(userId), [...have, ...ids])
}

/** Two tabs must not take the same number. */
async function exclusively<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  return navigator.locks.request('beaconry-event-ids', work) as Promise<T>
}
