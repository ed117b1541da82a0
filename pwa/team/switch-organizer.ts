import { type Acting } from '../browser/acting.ts'
import { actAs } from '../device/session/acting.ts'
import { call, reachability, Refused } from '../sync/index.ts'
import { toast } from '../ui/toast.ts'

/**
 * Asks the server first: without it the device would lose the copy that it has and get no other.
 * @param member null: one's own events. @returns whether the server answered, and another page is on its way
 */
export async function switchIfReached(userId: number, member: Acting | null, path?: string): Promise<boolean> {
  const isReached = await call('getBillingMode').then(
    () => true,
    (error: unknown) => error instanceof Refused,
  )
  if (isReached) actAs(userId, member, path)
  return isReached
}

/** @param member null: one's own events */
export async function switchOrganizer(userId: number, member: Acting | null): Promise<void> {
  if (reachability.get() !== 'unreachable' && (await switchIfReached(userId, member))) return
  toast({
    variant: 'destructive',
    title: 'Switching needs a connection',
    description: 'This device has the events of one organizer at a time. What you see here stays.',
  })
}
