import { canaries } from './sim-canaries.ts'
import { runHistory } from './sim-history.ts'

/** Which histories one process lives. */
export interface Assignment {
  readonly from: number
  readonly to: number
  /** Every how many seeds; several processes share a range. */
  readonly stride: number
  /** The name of a seeded bug: then the first history that catches it ends the work. */
  readonly canary?: string
}

export interface Findings {
  readonly histories: number
  readonly met: Readonly<Record<string, number>>
  readonly failures: readonly { readonly seed: number; readonly problems: readonly string[] }[]
}

/** As much of an AbortController as the outbox uses. */
class LightAbortController {
  readonly signal = {
    aborted: false,
    listeners: [] as (() => void)[],
    addEventListener(_: 'abort', listener: () => void) {
      this.listeners.push(listener)
    },
    removeEventListener(_: 'abort', listener: () => void) {
      const place = this.listeners.indexOf(listener)
      if (place >= 0) this.listeners.splice(place, 1)
    },
  }

  abort(): void {
    if (this.signal.aborted) return
    this.signal.aborted = true
    for (const listener of this.signal.listeners.splice(0)) listener()
  }
}

/** Lives histories one after the other and sums up what was seen. */
export async function liveHistories({ from, to, stride, canary }: Assignment): Promise<Findings> {
  const met: Record<string, number> = {}
  const failures: { seed: number; problems: readonly string[] }[] = []
  let histories = 0
  for (let seed = from; seed < to; seed += stride) {
    const result = await runHistory(seed, canary === undefined ? {} : canaries[canary])
    histories++
    for (const [what, count] of Object.entries(result.met)) met[what] = (met[what] ?? 0) + count
    if (result.problems.length > 0) {
      failures.push({ seed, problems: result.problems })
      if (canary !== undefined || failures.length >= 20) break
    }
  }
  return { histories, met, failures }
}

// Started as a process of its own: the assignments are its argument, the findings its messages.
const argument = process.argv[2]
if (process.send && argument !== undefined) {
  // A stack for every failed request, and a full event target for every signal, would cost more than the history.
  Error.stackTraceLimit = 0
  globalThis.AbortController = LightAbortController as unknown as typeof AbortController
  for (const assignment of JSON.parse(argument) as Assignment[])
    process.send({ assignment, findings: await liveHistories(assignment) })
  process.disconnect()
}
