import { Refused } from '../sync/index.ts'

/** A promo code the server found good. */
export interface AppliedPromo {
  readonly code: string
  /** Percent. */
  readonly discount: number
  readonly message: string
}

/** A chosen plan, with a promo code that was found good. */
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
  const place = placeOf(name, { planId, promoCode })
  const key = readTabStorage(place) ?? crypto.randomUUID()
  writeTabStorage(place, key)
  try {
    const answer = await send(key)
    writeTabStorage(place, null)
    if (promoCode !== null && name === 'subscribe') writeTabStorage(foundGood(promoCode), null)
    return answer
  } catch (error) {
    if (error instanceof Refused && error.status < 500) writeTabStorage(place, null)
    throw error
  }
}

const placeOf = (name: string, { planId, promoCode }: PlanOrder) => `purchase/${name}/${planId}/${promoCode ?? ''}`
const foundGood = (code: string) => `purchase/promo/${code}`

/** Whether such a call went out from this tab and was not answered. */
export function isOpen(name: string, order: PlanOrder): boolean {
  return readTabStorage(placeOf(name, order)) !== null
}

/** Remembers, for this tab, what the server said of a code, until the order that uses it is answered. */
export function rememberPromo(promo: AppliedPromo): void {
  writeTabStorage(foundGood(promo.code), JSON.stringify(promo))
}

/**
 * The code of an order that went out from this tab and was not answered: the server may count it as used by this very order,
 * which is to be repeated as it was, and not at the full price. Null when there is no such order.
 */
export function promoOfOpenOrder(planId: number, code: string): AppliedPromo | null {
  const order = { planId, promoCode: code }
  const kept = isOpen('intent', order) || isOpen('subscribe', order) ? readTabStorage(foundGood(code)) : null
  return kept === null ? null : (JSON.parse(kept) as AppliedPromo)
}

/** Reads what this tab remembers; null without it, or where storage is blocked. */
export function readTabStorage(place: string): string | null {
  try {
    return sessionStorage.getItem(place)
  } catch {
    return null
  }
}

/** Has this tab remember a text, or forget it (null). Storage may be blocked: then it is forgotten at once. */
export function writeTabStorage(place: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, text)
  } catch {
    // A key then lasts for one attempt, and a reload during a payment begins anew; the server still knows the payment.
  }
}
