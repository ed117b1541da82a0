import { observable } from '../../browser/observable.ts'

/** The newest answer or its absence decides, never `navigator.onLine`. */
export type Reachability = 'unknown' | 'reachable' | 'unreachable'

export const reachability = observable<Reachability>('unknown')

let answers = 0
const unanswered = new Map<string, { readonly at: number; readonly answers: number }>()
/** Two attempts of one question are never further apart. */
const rememberedMs = 300_000

/** @param what tells the question from others */
export function noteAnswered(what: string): void {
  answers += 1
  unanswered.delete(what)
  reachability.set('reachable')
}

/**
 * Notes that no answer came, or none of our server. A question that failed before while others were answered says
 * nothing about the way to the server.
 */
export function noteUnanswered(what: string, now = Date.now()): void {
  const before = unanswered.get(what)
  unanswered.set(what, { at: now, answers })
  const failsAlone = before && answers > before.answers && Math.abs(now - before.at) < rememberedMs
  if (!failsAlone) reachability.set('unreachable')
}

/** Our server has answered 426. */
export const isTooOld = observable(false)

/**
 * The newest answer named it; it is null before the first. Another epoch means that the server's database went back.
 */
export const serverEpoch = observable<string | null>(null)
