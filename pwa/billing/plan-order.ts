import { Refused } from '../sync/index.ts'

export interface AppliedPromo {
  readonly code: string
  /** Percent. */
  readonly discount: number
  readonly message: string
}

/** `promoCode` was found valid. */
export interface PlanOrder {
  readonly planId: number
  readonly promoCode: string | null
}

export const bodyOf = ({ planId, promoCode }: PlanOrder) => ({ planId, ...(promoCode === null ? {} : { promoCode }) })

/**
 * The call's key stays in this tab until an answer comes, so that a retry, after a reload too, is the same order.
 * @throws what the call throws
 */
export async function once<T>(
  name: string,
  { planId, promoCode }: PlanOrder,
  send: (key: string) => Promise<T>,
): Promise<T> {
  const storageKey = storageKeyOf(name, { planId, promoCode })
  const key = readTabStorage(storageKey) ?? crypto.randomUUID()
  writeTabStorage(storageKey, key)
  try {
    const answer = await send(key)
    writeTabStorage(storageKey, null)
    if (promoCode !== null && name === 'subscribe') writeTabStorage(foundGood(promoCode), null)
    return answer
  } catch (error) {
    if (error instanceof Refused && error.status < 500) writeTabStorage(storageKey, null)
    throw error
  }
}

const storageKeyOf = (name: string, { planId, promoCode }: PlanOrder) => `purchase/${name}/${planId}/${promoCode ?? ''}`
const foundGood = (code: string) => `purchase/promo/${code}`

export function isOpen(name: string, order: PlanOrder): boolean {
  return readTabStorage(storageKeyOf(name, order)) !== null
}

/** Kept in this tab until the order that uses the code is answered. */
export function rememberPromo(promo: AppliedPromo): void {
  writeTabStorage(foundGood(promo.code), JSON.stringify(promo))
}

/**
 * The code of this tab's unanswered order: the server may count it as used by this very order, which has to be repeated
 * unchanged and not at the full price. Null without one.
 */
export function promoOfOpenOrder(planId: number, code: string): AppliedPromo | null {
  const order = { planId, promoCode: code }
  const kept = isOpen('intent', order) || isOpen('subscribe', order) ? readTabStorage(foundGood(code)) : null
  return kept === null ? null : (JSON.parse(kept) as AppliedPromo)
}

/** Null without an entry, or where storage is blocked. */
export function readTabStorage(storageKey: string): string | null {
  try {
    return sessionStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Null removes. Without storage nothing is kept. */
export function writeTabStorage(storageKey: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, text)
  } catch {
    // A key then lasts for one attempt; the server still knows the payment.
  }
}
