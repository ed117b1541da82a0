import { timings } from '../../browser/timings.ts'
import { call } from './call.ts'
import { reachability } from './reachability.ts'

/** Devices that lost the server together do not come back together. */
const spread = 0.2

/**
 * Asks the server now and then while it cannot be reached and the page is looked at. What the page does without it may
 * be more than a minute away by then, and no browser says for certain that the network is back.
 * @param ask what notes its answer as reachability
 */
export function probeWhileUnreachable(ask: () => Promise<unknown> = () => call('getBillingMode')): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    if (reachability.get() !== 'unreachable' || document.visibilityState !== 'visible') return
    const waitMs = timings.probeMs * (1 + spread * (Math.random() - 0.5))
    timer = setTimeout(
      () =>
        void ask()
          .catch(() => undefined)
          .then(plan),
      waitMs,
    )
  }
  const stop = reachability.subscribe(plan)
  document.addEventListener('visibilitychange', plan)
  plan()
  return () => {
    stop()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', plan)
  }
}
