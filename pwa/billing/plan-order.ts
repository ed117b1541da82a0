import { Refused } from '../sync/index.ts'
import { readText, writeText } from '../browser/browser-storage.ts'

/** Without storage a key lasts for one attempt; the server still knows the payment. */
export const tab = 'sessionStorage'

export interface AppliedPromo {
  readonly code: string
  /** This is a percentage. */
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
  const key = readText(storageKey, tab) ?? crypto.randomUUID()
  writeText(storageKey, key, tab)
  try {
    const answer = await send(key)
    writeText(storageKey, null, tab)
    if (promoCode !== null && name === 'subscribe') writeText(foundGood(promoCode), null, tab)
    return answer
  } catch (error) {
    if (error instanceof Refused && error.status < 500) writeText(storageKey, null, tab)
    throw error
  }
}

const storageKeyOf = (name: string, { planId, promoCode }: PlanOrder) => `purchase/${name}/${planId}/${promoCode ?? ''}`
const foundGood = (code: string) => `purchase/promo/${code}`

export function isOpen(name: string, order: PlanOrder): boolean {
  return readText(storageKeyOf(name, order), tab) !== null
}

/** The code is kept in this tab until the order that uses it is answered. */
export function rememberPromo(promo: AppliedPromo): void {
  writeText(foundGood(promo.code), JSON.stringify(promo), tab)
}

/**
 * Finds the code of this tab's unanswered order: the server may count it as used by this very order, which has to be
 * repeated unchanged and not at the full price. Returns null without one.
 */
export function promoOfOpenOrder(planId: number, code: string): AppliedPromo | null {
  const order = { planId, promoCode: code }
  const kept = isOpen('intent', order) || isOpen('subscribe', order) ? readText(foundGood(code), tab) : null
  return kept === null ? null : (JSON.parse(kept) as AppliedPromo)
}
