/** The tag under which the browser wakes the worker for the queue. */
export const outboxTag = 'beaconry-outbox'

/** Background Sync, which TypeScript's library does not know. */
type WithSync = ServiceWorkerRegistration & { readonly sync?: { register(tag: string): Promise<void> } }

/** Asks the browser, where it can, to wake the worker when there is a network. */
export async function requestBackgroundSync(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  await (registration as WithSync | undefined)?.sync?.register(outboxTag).catch(() => undefined)
}
