import { forgetEntries, forgetSettled } from '../queue/store/device-rows.ts'
import { outboxDatabase, outboxStore, replayer } from '../queue/store/opened-outbox.ts'
import { dropLeftChanges } from '../replica/left-changes.ts'
import { deleteReplicas } from '../replica/replica-names.ts'

/**
 * Removes an account's copies from this device, and the queued changes with these keys. Other changes wait, locked, until
 * the account signs in here again.
 */
export async function forgetAccount(userId: number, discards: readonly string[]): Promise<void> {
  dropLeftChanges(discards)
  await forgetEntries(outboxDatabase, discards)
  await Promise.allSettled([deleteReplicas(), forgetSettled(outboxDatabase, userId)])
}

export interface SendProgress {
  readonly done: number
  readonly total: number
}

/** Sending is given up after this long without a change sent; it is longer than a decision's undo window. */
const silenceMs = 15_000
const lookEveryMs = 300
const sendableStates: ReadonlySet<string> = new Set(['held', 'queued', 'sending'])

/**
 * @param signal ends the waiting for what is being sent
 * @throws when not all was sent, or the signal's reason
 */
export async function sendUnsent(
  userId: number,
  onProgress: (progress: SendProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const readUnsent = async () => (await outboxStore.entriesOf(userId)).filter(({ state }) => state !== 'acknowledged')
  const total = (await readUnsent()).length
  let hasFailed = false
  void replayer.wake('asked').then(
    ({ end }) => (hasFailed = end !== 'drained'),
    () => (hasFailed = true),
  )
  let left = total
  let giveUpAtMs = performance.now() + silenceMs
  for (;;) {
    const unsent = await readUnsent()
    signal.throwIfAborted()
    if (unsent.length < left) giveUpAtMs = performance.now() + silenceMs
    left = unsent.length
    onProgress({ done: total - left, total })
    if (left === 0) return
    if (hasFailed || performance.now() > giveUpAtMs || !unsent.some(({ state }) => sendableStates.has(state)))
      throw new Error(
        `${left} ${left === 1 ? 'change' : 'changes'} could not be sent now. You are still signed in, and nothing is lost.`,
      )
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}
