import { reachability } from '../http/reachability.ts'
import { replayer } from '../queue/store/opened-outbox.ts'
import { pullAccount } from './open-account.ts'

/**
 * Sends what waits, then pulls in this tab.
 * @param pullWithoutAccount asks for what is pulled while no account is open
 * @returns `failed`: the server answers, but not all could be sent or pulled
 */
export async function syncNow(
  pullWithoutAccount: () => Promise<boolean>,
): Promise<'in-step' | 'unreachable' | 'failed'> {
  const { end } = await replayer.wake('asked')
  if (end === 'unreachable') return 'unreachable'
  const arrived = (await pullAccount()) ?? (await pullWithoutAccount())
  if (!arrived || end === 'storage-failed' || end === 'update-needed')
    return reachability.get() === 'unreachable' ? 'unreachable' : 'failed'
  return 'in-step'
}
