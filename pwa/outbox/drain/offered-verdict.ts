import type { Entry } from '../entry.ts'
import { countBehind } from '../mutations/expectation.ts'
import type { Verdict } from './verdict.ts'

const second = 1000
/** For so long a change that is offered again waits for what it is about, which another device has to offer. */
const missingPatienceMs = 24 * 3_600 * second
/** … and for the change that it was made on. */
const earlierPatienceMs = 120 * second
const longestWaitSeconds = 300

/**
 * What a refusal means for a change that is offered again. A server that went back may not know what it is about, or not the
 * change before it: some other device is going to offer them. Until then it waits instead of asking a person; the server keeps
 * no refusal of it, so that it can come again under its own key. Where nobody offers the change before it, it is made on what
 * the server has (see `followAnswers`).
 * @param now milliseconds since the epoch
 */
export function patientVerdict(entry: Entry, verdict: Verdict, now: number): Verdict {
  if (!entry.again || verdict.kind !== 'parked') return verdict
  // A clock that was set back meanwhile keeps nobody waiting.
  const waitedMs = Math.abs(now - entry.again.since)
  const isMissing = verdict.problem.code === 'not_found' && waitedMs < missingPatienceMs
  const isEarly =
    verdict.problem.code === 'conflict' &&
    waitedMs < earlierPatienceMs &&
    countBehind(entry, verdict.problem) !== undefined
  if (!isMissing && !isEarly) return verdict
  return { kind: 'retry', afterSeconds: Math.min(longestWaitSeconds, 2 ** Math.min(entry.attempts, 8)) }
}
