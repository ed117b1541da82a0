import { setTimeout as delay } from 'node:timers/promises'
import { chooseWork, shortestWait } from '../../drain/claim.ts'
import type { Phone } from './phone.ts'
import { pace } from './quick-time.ts'

/**
 * P5: what waits sets out within so many milliseconds of the phone's own time after the network is back. Held for nine of ten
 * here, and for each one in the simulation: in the phone's time a fifth of a second that the machine works counts as two.
 */
export const firstSendMs = 5000
/** Within so many milliseconds of the phone's own time each of them sets out. */
export const lastFirstSendMs = 2 * firstSendMs

/** How often a phone is looked at, in milliseconds of this machine. */
const lookEveryMs = 10

/** How long the wait of a whole queue is waited for, in ms of the phone's time: a little longer than any wait without network. */
const patienceMs = 40_000

/**
 * Leaves a phone without network alone until everything in its queue has still long to wait, so that nothing but the network's
 * return can be why it sends in time. Returns when that takes too long.
 */
export async function longWait(phone: Phone): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs * pace) {
    await phone.risen()
    const entries = await phone.store.entriesOf(phone.userId).catch(() => [])
    if ((shortestWait(entries, phone.now(), phone.userId) ?? Infinity) > 2 * firstSendMs) return
    await delay(lookEveryMs)
  }
}

/**
 * Gives a phone its network back and waits for the first request with something of its queue. The looks are what is
 * counted, not the machine's clock: on a busy machine the phone's timers are late, and the looks are late with them.
 * @returns after how many milliseconds of the phone's time the request left, or for how long it was waited for in vain;
 * undefined when nothing can be said: nothing was to be sent, or the phone died or lost its network again
 */
export async function reconnect(phone: Phone): Promise<number | undefined> {
  await phone.risen()
  const { count } = phone.crashes
  const entries = await phone.store.entriesOf(phone.userId).catch(() => [])
  const { work } = chooseWork(entries, {
    now: phone.now(),
    account: phone.userId,
    triggered: true,
    resumes: false,
    limit: 1,
    maximumCharacters: Infinity,
  })
  const { sendings } = phone
  phone.isOnline = true
  if (!work) return undefined
  let waitedMs = 0
  while (phone.sendings === sendings && waitedMs < lastFirstSendMs) {
    if (phone.crashes.count !== count || !phone.isOnline) return undefined
    await delay(lookEveryMs)
    waitedMs += lookEveryMs * pace
  }
  return waitedMs
}
