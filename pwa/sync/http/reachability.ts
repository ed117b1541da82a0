import { readText, writeText } from './browser-storage.ts'
import { observable } from './observable.ts'

/** What the newest answer, or its absence, says about the way to the server; never `navigator.onLine`. */
export type Reachability = 'unknown' | 'reachable' | 'unreachable'

export const reachability = observable<Reachability>('unknown')

/** Answers of our server so far. */
let answers = 0
/** What was asked for last without an answer of our server: when, and how many answers there had been. */
const unanswered = new Map<string, { readonly at: number; readonly answers: number }>()
/** Longer than any wait between two attempts of one question. */
const rememberedMs = 300_000

/** Our server has answered. @param what was asked for, in any words that tell it from what else is */
export function noteAnswered(what: string): void {
  answers += 1
  unanswered.delete(what)
  reachability.set('reachable')
}

/**
 * Nothing, or something else than our server, has answered. What failed before, while other questions were answered, fails alone
 * and says nothing about the way to the server.
 */
export function noteUnanswered(what: string, now = Date.now()): void {
  const before = unanswered.get(what)
  unanswered.set(what, { at: now, answers })
  const failsAlone = before && answers > before.answers && Math.abs(now - before.at) < rememberedMs
  if (!failsAlone) reachability.set('unreachable')
}

/** Our server has said that it does not speak to this version of the app any more (426). */
export const isTooOld = observable(false)

/** The epoch that our server's newest answer named; null before the first one. Another one means that its database went back. */
export const serverEpoch = observable<string | null>(null)

const heardName = 'beaconry/epoch'

/** The epoch by which this device has done what another one asks for; null before any was heard. Kept over starts. */
export const heardEpoch = {
  read: (): string | null => readText(heardName),
  write: (epoch: string): void => writeText(heardName, epoch),
}

/** Our server has named its epoch. The first one this device hears asks for nothing. */
export function hearEpoch(epoch: string): void {
  if (heardEpoch.read() === null) heardEpoch.write(epoch)
  serverEpoch.set(epoch)
}
