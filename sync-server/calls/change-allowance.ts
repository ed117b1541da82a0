import type { RouteSpec } from '#shared/contract/route.ts'
import type { SpendAllowance } from './handler.ts'
import type { RouteCall } from './call.ts'

/** What one change costs at most, so that each fits into what is allowed at once. */
const MOST_POINTS = 100

/** What a change costs of its sender's allowance: one point for its rows, and one for each kilobyte it brings. */
export function costOf({ body }: Pick<RouteCall, 'body'>): number {
  const bytes = body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body))
  return Math.min(1 + Math.ceil(bytes / 1024), MOST_POINTS)
}

/**
 * Counts changes before any row is written for them, so that nobody can fill the disk: a signed-in person's by account,
 * a visitor's by address. Reading is free, and so are a visitor's calls without a key, such as signing in: what those
 * leave behind is counted where they are handled. Throws `too_many_requests`.
 */
export async function spendForChanges(
  spend: SpendAllowance,
  spec: RouteSpec,
  { caller, address }: Pick<RouteCall, 'caller' | 'address'>,
  points: number,
): Promise<void> {
  if (spec.repeatable === undefined) return
  if (caller) await spend('account-change', `user:${caller.userId}`, points)
  else if (spec.repeatable === 'key') await spend('visitor-change', address, points)
}
