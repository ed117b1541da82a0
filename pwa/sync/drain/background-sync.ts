export const outboxTag = 'beaconry-outbox'

/** TypeScript's library does not know Background Sync. */
type WithSync = ServiceWorkerRegistration & { readonly sync?: { register(tag: string): Promise<void> } }

export async function requestBackgroundSync(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  await (registration as WithSync | undefined)?.sync?.register(outboxTag).catch(() => undefined)
}
