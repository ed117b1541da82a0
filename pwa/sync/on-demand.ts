import { hasDatabase } from '../browser/browser-storage.ts'
import { isReplica } from './replica/replica-names.ts'

/** Brings RxDB along, which a first paint must not wait for. */
export const fetchReplica = () => import('./replica/open-replica.ts')

/**
 * Where a copy is kept, or will be, its code is loaded and its first database opened before the account is.
 * @param isSignedIn the server has named an account
 */
export async function openCopyAhead({ isSignedIn = false } = {}): Promise<void> {
  if (isSignedIn || (await hasDatabase(isReplica))) await (await fetchReplica()).openSyncMeta()
}
