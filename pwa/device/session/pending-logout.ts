import { readText, writeText } from '../../browser/browser-storage.ts'
import { singleFlight } from '../../browser/single-flight.ts'
import { call, Refused } from '../../sync/index.ts'

/** It is in localStorage, which answers at every start. */
const flag = 'beaconry/logout'

/** @param isPending the server has not ended this device's old session yet */
export function noteLogout(isPending: boolean): void {
  writeText(flag, isPending ? '1' : null)
}

/**
 * Goes before any other call, because the cookie would still speak for the former user.
 * @throws when the server cannot be reached, or `signal` was aborted before
 */
export async function sendPendingLogout(signal?: AbortSignal): Promise<void> {
  if (readText(flag) !== null) await send(signal)
}

const send = singleFlight(async (signal: AbortSignal | undefined): Promise<void> => {
  try {
    await call('logout', signal && { signal })
  } catch (error) {
    // A refused logout has no session left to end.
    if (!(error instanceof Refused)) throw error
  }
  noteLogout(false)
})
