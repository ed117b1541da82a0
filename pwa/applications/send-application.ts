import { call, mutations, outbox, serverNow, Unreachable } from '../sync/index.ts'
import { ifAnswered } from '../browser/page-storage.ts'
import { isQuotaError, isStorageError } from '../browser/storage-errors.ts'
import { sentOf, type SentApplication } from './own-application.ts'

/**
 * Queues an application. In a browser that keeps nothing, this page sends it.
 * @returns what the server has, or null once it is queued
 * @throws when the application is neither queued nor sent
 */
export async function sendApplication(args: mutations.ApplyAsBeacon): Promise<SentApplication | null> {
  const key = crypto.randomUUID()
  const queued = outbox.enqueue(mutations.applyAsBeacon, args, { userId: null, key })
  let failure: unknown
  const entry = await ifAnswered(queued.catch((error: unknown) => void (failure = error)))
  if (entry) return null
  if (failure !== undefined && (isQuotaError(failure) || !isStorageError(failure))) throw failure
  const request = mutations.applyAsBeacon.send(args) as NonNullable<Parameters<typeof call<'applyAsBeacon'>>[1]>
  const answer = await call('applyAsBeacon', { ...request, key }).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error
    throw new Error(
      'There is no connection, and this browser keeps nothing on this device. Leave this page open, and submit again once there is a connection.',
    )
  })
  // Storage that was silent may have stored it after all.
  void queued.then(({ seq }) => outbox.discard(seq)).catch(() => undefined)
  return sentOf(args, answer, serverNow().toISOString()) ?? null
}
