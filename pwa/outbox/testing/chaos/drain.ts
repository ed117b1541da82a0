import { setTimeout as delay } from 'node:timers/promises'
import type { EntryState } from '../../entry.ts'
import type { OrganizerPhone } from './crowd.ts'
import type { Phone } from './phone.ts'

/** The phones' own patience is ten times shorter than this. */
const drainWithinMs = 45_000

const unsent: ReadonlySet<EntryState> = new Set(['held', 'queued', 'sending', 'needsAuth'])

/** Resolves when nothing waits to be sent any more; nobody wakes anything. */
export async function drained(phones: readonly Phone[], broken: string[]): Promise<void> {
  const deadline = Date.now() + drainWithinMs
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
