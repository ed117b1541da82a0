/** `npm run test:proofs` sets it: every proof then runs at its full size. `npm test` keeps a fixed sample of each. */
export const fullSize = process.env['PROOFS'] === 'full'

/** What a proof works on: `full` in `npm run test:proofs`, `sample` in `npm test`. */
export function sized<T>(full: T, sample: T): T {
  return fullSize ? full : sample
}
