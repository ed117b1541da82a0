import { formatClock, formatShortDay } from '../../ui/page/local-time.ts'
import { verdictOf, type ReadyResult } from './ready-lines.ts'

/** 'Ready', 'Ready, 2 warnings', 'Not ready: 1 problem'. Without a network nothing is called ready. */
export function verdictWords({ tone, lines, isPartial }: ReturnType<typeof verdictOf>): string {
  const counted = (noun: string) => `${lines} ${noun}${lines === 1 ? '' : 's'}`
  if (tone === 'red') return `Not ready: ${counted('problem')}`
  if (isPartial) return `Partly checked: ${counted('warning')}`
  return tone === 'green' ? 'Ready' : `Ready, ${counted('warning')}`
}

/** 'Ready, checked 6:12 PM on Nov 28' */
export function resultWords({ facts, checkedAt }: ReadyResult, now: Date): string {
  return `${verdictWords(verdictOf(facts))}, checked ${formatClock(checkedAt)} on ${formatShortDay(checkedAt, now)}`
}
