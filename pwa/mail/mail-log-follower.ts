import type { EventMail, MailLog } from '#shared/mail/mail-calls.ts'
import { Refused, Unreachable } from '../api/call.ts'

/** A mail log as the server last told it. */
export interface KnownLog extends MailLog {
  /** When this device heard it (ISO). */
  readonly asOf: string
  /** By how many milliseconds the server's clock is ahead of this device's. */
  readonly aheadMs: number
}

/** What is known of a mail log, and why nothing newer is; `failure` is null while it is on its way or here. */
export interface MailLogView {
  readonly known: KnownLog | null
  readonly failure: 'unreachable' | 'failed' | null
}

export interface MailLogDependencies {
  readonly ask: (signal: AbortSignal) => Promise<MailLog>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Calls back once; answers how to call it off. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
  readonly show: (view: MailLogView) => void
}

/** Keeps one mail log as new as there is reason to. */
export interface MailLogFollower {
  /** Asks now. */
  look(): void
  /** Something happened that mails may follow from. */
  changed(): void
  end(): void
}

const second = 1000
/** A mail is not gone in the moment it is due: the worker has to write it and hand it over. */
const workMs = 1200
/** Several decisions arrive one after the other. */
const settleMs = 500
const mostTries = 6
/** Whoever comes back later than this asks by coming back. */
const longestWaitMs = 3_600_000

/**
 * How long until asking again tells something new: when the next waiting mail is due, and a few times, later each time,
 * while one is on its way. Null when nothing is to be expected.
 * @param serverNow the server's clock, in milliseconds
 * @param tries how often it was asked for what is on its way already
 */
export function nextLookMs(
  mails: readonly Pick<EventMail, 'state' | 'sendAt'>[],
  serverNow: number,
  tries: number,
): number | null {
  let next = Infinity
  for (const { state, sendAt } of mails) {
    if (state !== 'held' && state !== 'queued' && state !== 'sending') continue
    const leftMs = Date.parse(sendAt) - serverNow
    if (leftMs > 0 && state !== 'sending') next = Math.min(next, leftMs + workMs)
    else if (tries < mostTries) next = Math.min(next, second * 2 ** tries)
  }
  return next <= longestWaitMs ? next : null
}

/** Follows one log until it is ended. Nobody is asked steadily: only when the log itself, or `changed`, gives reason. */
export function followMailLog({ ask, now, after, show }: MailLogDependencies, kept: KnownLog | null): MailLogFollower {
  const leaving = new AbortController()
  let known = kept
  let asking = false
  let again = false
  let tries = 0
  let callOff = () => {}
  let callOffSettling: (() => void) | undefined

  function look(): void {
    if (leaving.signal.aborted) return
    if (asking) {
      again = true
      return
    }
    callOff()
    asking = true
    ask(leaving.signal)
      .then(onAnswer, onFailure)
      .finally(() => {
        asking = false
        if (!again) return
        again = false
        look()
      })
  }

  function onAnswer(log: MailLog): void {
    if (leaving.signal.aborted) return
    const asOf = now()
    known = { ...log, asOf: new Date(asOf).toISOString(), aheadMs: Date.parse(log.at) - asOf }
    show({ known, failure: null })
    const waitMs = nextLookMs(log.mails, Date.parse(log.at), tries)
    if (waitMs === null) return
    callOff = after(waitMs, () => {
      tries += 1
      look()
    })
  }

  function onFailure(error: unknown): void {
    if (leaving.signal.aborted) return
    // An event that the server does not have yet has sent nobody anything.
    if (error instanceof Refused && error.status === 404) return onAnswer(emptyLog(now()))
    show({ known, failure: error instanceof Unreachable ? 'unreachable' : 'failed' })
  }

  return {
    look() {
      tries = 0
      look()
    },
    changed() {
      tries = 0
      callOffSettling ??= after(settleMs, () => {
        callOffSettling = undefined
        look()
      })
    },
    end() {
      leaving.abort()
      callOff()
      callOffSettling?.()
    },
  }
}

function emptyLog(at: number): MailLog {
  return {
    mails: [],
    counts: { held: 0, queued: 0, sending: 0, sent: 0, failed: 0, cancelled: 0 },
    delivery: 'smtp',
    at: new Date(at).toISOString(),
  }
}
