import { readText, writeText } from './browser-storage.ts'
import { observable } from './observable.ts'

/** By the newest answer or its absence, never by `navigator.onLine`. */
export type Reachability = 'unknown' | 'reachable' | 'unreachable'

export const reachability = observable<Reachability>('unknown')

let answers = 0
const unanswered = new Map<string, { readonly at: number; readonly answers: number }>()
/** Longer than any wait between two attempts of one question. */
const rememberedMs = 300_000

/** @param what tells the question from others */
export function noteAnswered(what: string): void {
  answers += 1
  unanswered.delete(what)
  reachability.set('reachable')
}

/**
 * No answer, or not our server's. A question that failed before while others were answered says nothing about the way
 * to the server.
 */
export function noteUnanswered(what: string, now = Date.now()): void {
  const before = unanswered.get(what)
  unanswered.set(what, { at: now, answers })
  const failsAlone = before && answers > before.answers && Math.abs(now - before.at) < rememberedMs
  if (!failsAlone) reachability.set('unreachable')
}

/** Our server has answered 426. */
export const isTooOld = observable(false)

/** Of the newest answer; null before the first. Another epoch: the server's database went back. */
export const serverEpoch = observable<string | null>(null)

const heardName = 'beaconry/epoch'

/** The epoch this device has caught up with; null before the first. Kept over starts. */
export const heardEpoch = {
  read: (): string | null => readText(heardName),
  write: (epoch: string): void => writeText(heardName, epoch),
}

/** The first epoch this device learns asks for nothing. */
export function hearEpoch(epoch: string): void {
  if (heardEpoch.read() === null) heardEpoch.write(epoch)
  serverEpoch.set(epoch)
}
