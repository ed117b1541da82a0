/** Callers during a run share its promise. */
export function singleFlight<A extends unknown[], T>(work: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let running: Promise<T> | undefined
  return (...args) => {
    running ??= work(...args).finally(() => (running = undefined))
    return running
  }
}
