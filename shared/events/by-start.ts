import { plainText } from '../text/matching.ts'

/** Orders as the server does: by first day, name without regard to case and accents, and id. */
export function byStart(
  one: { readonly startDate: string; readonly name: string; readonly id: number },
  other: { readonly startDate: string; readonly name: string; readonly id: number },
): number {
  return (
    compare(one.startDate, other.startDate) || compare(plainText(one.name), plainText(other.name)) || one.id - other.id
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
