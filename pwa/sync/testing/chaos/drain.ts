import { setTimeout as delay } from 'node:timers/promises'
import type { Entry, EntryState } from '../../queue/entry.ts'
import type { OrganizerPhone, Phone } from './phone.ts'

/** The phones' own patience is ten times shorter than this. */
const drainWithinMs = 45_000

const unsent: ReadonlySet<EntryState> = new Set(['held', 'queued', 'sending', 'needsAuth'])

/** What has not been sent yet, by its key. */
async function listUnsent(phones: readonly Phone[]): Promise<Map<string, string>> {
  const waiting = new Map<string, string>()
  for (const phone of phones) {
    await phone.risen()
    for (const entry of await phone.store.entriesOf(phone.userId))
      if (unsent.has(entry.state)) waiting.set(entry.key, describe(entry, phone))
  }
  return waiting
}

function describe({ key, mutation, state, lane, attempts, nextAt }: Entry, phone: Phone): string {
  const dueInSeconds = Math.round((nextAt - phone.now()) / 1000)
  return `${key} (${mutation} in ${lane}) is ${state} on ${phone.name}, tried ${attempts} times, due in ${dueInSeconds} s`
}

/** Resolves when nothing waits to be sent any more, or says after a while what still does; nobody wakes anything. */
export async function drained(phones: readonly Phone[], broken: string[]): Promise<void> {
  const deadline = Date.now() + drainWithinMs
  for (;;) {
    const waiting = await listUnsent(phones)
    if (waiting.size === 0) return
    if (Date.now() > deadline) {
      broken.push(...[...waiting.values()].map((line) => `stalled: ${line}`))
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
