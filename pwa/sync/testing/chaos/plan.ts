import { disasters, type Disaster } from './disasters.ts'

/** What happens to the server during a run: something dies, or it goes back to an earlier moment. */
export type Mishap = Disaster | 'lay-aside' | 'put-back'

/**
 * What happens, and at which step. Each kind of disaster twice, spread over the run in an order of the seed's own.
 * With `goesBack` each once, and the way back from the early copy in the middle: much is lost with it, and much comes after.
 */
export function makePlan(changes: number, random: () => number, goesBack: boolean): Map<number, Mishap> {
  const shuffled = (kinds: readonly Disaster[]) =>
    kinds
      .map((kind) => ({ kind, at: random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ kind }) => kind)
  const [first, second, ...rest] = shuffled(disasters)
  const order: Mishap[] =
    goesBack && first && second
      ? ['lay-aside', first, second, 'put-back', ...rest]
      : shuffled([...disasters, ...disasters])
  const stretch = changes / (order.length + 1)
  return new Map(order.map((event, index) => [Math.floor(stretch * (index + 0.5 + random() * 0.8)), event]))
}
