import type { Entry } from '../entry.ts'
import { countBehind } from '../mutations/expectation.ts'
import type { Verdict } from './verdict.ts'

const second = 1000
/** For so long a change that is offered again waits for what it is about, which another device has to offer. */
const missingPatienceMs = 24 * 3_600 * second
/** … and for the change that it was made on. */
const earlierPatienceMs = 120 * second
const longestWaitSeconds = 300

/** For how long it waits for a better answer than this one. */
function patienceMs(entry: Entry, verdict: Verdict): number {
  if (verdict.kind === 'acknowledged') return verdict.missing ? missingPatienceMs : 0
  if (verdict.kind !== 'parked') return 0
  const { problem } = verdict
  if (problem.code === 'not_found') return missingPatienceMs
  return problem.code === 'conflict' && countBehind(entry, problem) !== undefined ? earlierPatienceMs : 0
}

/**
 * What an answer means for a change that is offered again. A server that went back may not know what it is about, or not the
 * change before it: some other device is going to offer them. Until then it waits instead of asking a person; the server keeps
 * no refusal of it, so that it can come again under its own key. A deletion waits too: what it met nothing of may be brought
 * after it, and would stay. Where nobody offers the change before it, it is made on what the server has (see `followAnswers`).
 * @param now milliseconds since the epoch
 */
export function patientVerdict(entry: Entry, verdict: Verdict, now: number): Verdict {
  if (!entry.again) return verdict
  // A clock that was set back meanwhile keeps nobody waiting.
  const waitedMs = Math.abs(now - entry.again.since)
  if (waitedMs >= patienceMs(entry, verdict)) return verdict
  return { kind: 'retry', afterSeconds: Math.min(longestWaitSeconds, 2 ** Math.min(entry.attempts, 8)) }
}
