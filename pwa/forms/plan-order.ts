import { Refused } from '../api/call.ts'

/** A plan somebody wants, with a promo code that was found good. */
export interface PlanOrder {
  readonly planId: number
  readonly promoCode: string | null
}

/** An order as the calls want it. */
export const bodyOf = ({ planId, promoCode }: PlanOrder) => ({ planId, ...(promoCode === null ? {} : { promoCode }) })

/**
 * Makes a call that must not happen twice: its key is kept for this tab until an answer comes, so that trying again, also after
 * a reload, is the same order. @throws what the call throws
 */
export async function once<T>(
  name: string,
  { planId, promoCode }: PlanOrder,
  send: (key: string) => Promise<T>,
): Promise<T> {
  const place = `purchase/${name}/${planId}/${promoCode ?? ''}`
  const key = readKey(place) ?? crypto.randomUUID()
  writeKey(place, key)
  try {
    const answer = await send(key)
    writeKey(place, null)
    return answer
  } catch (error) {
    if (error instanceof Refused && error.status < 500) writeKey(place, null)
    throw error
  }
}

function readKey(place: string): string | null {
  try {
    return sessionStorage.getItem(place)
  } catch {
    return null
  }
}

function writeKey(place: string, key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, key)
  } catch {
    // Without storage the key lasts for this one attempt.
  }
}
