import { setTimeout as delay } from 'node:timers/promises'
import type { EntryState } from '../../entry.ts'
import type { OrganizerPhone } from './crowd.ts'
import type { Phone } from './phone.ts'

/** The phones' own patience is ten times shorter than this. */
const drainWithinMs = 45_000

/** More than the two minutes of the phones' time that a change waits for the one it was made on. */
const offeredWithinMs = 16_000
/** For a day a change waits for what it is about. */
const moreThanADayMs = 25 * 3_600_000

const unsent: ReadonlySet<EntryState> = new Set(['held', 'queued', 'sending', 'needsAuth'])

/** Resolves when nothing waits to be sent any more, or says after a while what still does; nobody wakes anything. */
export async function drained(
  phones: readonly Phone[],
  broken: string[],
  withinMs: number = drainWithinMs,
): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const waiting: string[] = []
    for (const phone of phones) {
      await phone.risen()
      const entries = await phone.store.entriesOf(phone.userId)
      waiting.push(
        ...entries
          .filter(({ state }) => unsent.has(state))
          .map((entry) => `${entry.key} is ${entry.state} on ${phone.name}`),
      )
    }
    if (waiting.length === 0) return
    if (Date.now() > deadline) {
      broken.push(...waiting.map((line) => `stalled: ${line}`))
      return
    }
    await delay(50)
  }
}

/**
 * After the server went back: what is offered again is waited for until those that need another device's changes first have
 * had their time for it. Where nobody brings what they are about, such as the application to an event that was deleted, a
 * day passes on the phones, and they ask a person.
 */
export async function drainedAgain(phones: readonly Phone[]): Promise<void> {
  const waiting: string[] = []
  await drained(phones, waiting, offeredWithinMs)
  if (waiting.length > 0) for (const phone of phones) phone.setClockOff(moreThanADayMs)
}

/** The organizers give up what was refused, until nothing stands behind it any more. */
export async function cleanUp(organizers: readonly OrganizerPhone[], broken: string[]): Promise<void> {
  for (const phone of organizers) {
    for (;;) {
      const entries = await phone.store.entriesOf(phone.userId)
      if (!entries.some(({ state }) => state === 'blocked')) break
      for (const { seq } of entries.filter(({ state }) => state === 'parked')) await phone.outbox.discard(seq)
      await drained([phone], broken)
      if (broken.some((line) => line.startsWith('stalled'))) return
    }
  }
}
