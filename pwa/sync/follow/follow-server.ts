import { type Scope } from '#shared/sync/collections.ts'
import type { AskedAbout } from '../drain/settle.ts'
import type { Timers } from '../drain/wake.ts'
import { transition, unfollowed, type Effect, type FollowEvent, type RoundEnd, type Senses } from './follow-machine.ts'
import { connectStream, type OpenedStream } from './live-stream.ts'
import type { Progress } from './progress.ts'
import type { PullEnd } from './pull.ts'
import { createThrottle } from './throttle.ts'

type Reset = Extract<PullEnd, { kind: 'reset' }>

export interface FollowingTerms extends Omit<Senses, 'now'> {
  readonly progress: Progress
  /** Never rejects. */
  readonly pull: (scope: Scope, signal: AbortSignal, acknowledged: readonly string[]) => Promise<PullEnd>
  /** Rejects when nothing, or not our server, answered. */
  readonly openStream: (signal: AbortSignal) => Promise<OpenedStream>
  readonly timers: Timers
  /** The clock is monotonic and counts milliseconds. */
  readonly now: () => number
  /** A pull that begins now asks about these. */
  readonly acknowledged: () => AskedAbout
  readonly onLive: () => void
  readonly onProgress: () => void
  readonly onPulled: (scope: Scope, arrived: boolean) => void
  /** The copy cannot be continued: following has stopped. */
  readonly onReset: (reset: Reset) => void
}

export type Following = ReturnType<typeof followServer>

/**
 * Carries out what the machine decides. One throttle spaces the requests that no news causes: an idle device asks
 * seldom, whatever is answered.
 * @param machine another one in a simulation of bugs
 */
export function followServer(terms: FollowingTerms, machine = transition) {
  const { progress, timers, now } = terms
  const throttle = createThrottle(timers, now)
  let round = new AbortController()
  let working: Promise<unknown> = Promise.resolve()
  let asked: ReadonlySet<number> = new Set()
  let state = unfollowed(progress.heads())
  const events: FollowEvent[] = []
  let isTaking = false
  let stream: { close(): void } | undefined
  let stopped = false

  /** Takes one event after the other, also where an effect causes one. */
  function take(event: FollowEvent): void {
    events.push(event)
    if (isTaking) return
    isTaking = true
    try {
      for (let next = events.shift(); next && !stopped; next = events.shift()) {
        const taken = machine(state, next, { ...terms, now: now() })
        state = taken.state
        progress.reach(state.heads)
        for (const effect of taken.effects) carryOut(effect)
      }
    } finally {
      isTaking = false
    }
  }

  function carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'pull':
        round.abort()
        round = new AbortController()
        working = pull(effect.scopes, working, round.signal)
        return
      case 'arrived':
        if (effect.scopes.includes('org')) progress.pulled(asked)
        terms.onProgress()
        return tell(effect.scopes, true)
      case 'failed':
        return tell(effect.scopes, false)
      case 'confirmed':
        return terms.onProgress()
      case 'open-stream':
        return openStream(effect.patienceMs)
      case 'close-stream':
        return closeStream()
      case 'plan':
        return throttle.plan(effect.plan, effect.waitMs, () => take({ type: 'due', plan: effect.plan }))
      case 'cancel':
        return throttle.cancel(effect.plan)
    }
  }

  function tell(scopes: readonly Scope[], arrived: boolean): void {
    for (const scope of scopes) terms.onPulled(scope, arrived)
  }

  /** @param before what it writes must not meet what this writes */
  async function pull(scopes: readonly Scope[], before: Promise<unknown>, signal: AbortSignal): Promise<void> {
    await before
    if (signal.aborted) return
    const { seqs, checkpoints } = terms.acknowledged()
    asked = seqs
    throttle.recordRequest()
    const ends = await Promise.all(
      scopes.map(async (scope): Promise<readonly [Scope, PullEnd]> => {
        // They are in the organizer's history. A member's own account is of another, which knows none of them.
        const end = await terms.pull(scope, signal, scope === 'org' ? checkpoints : [])
        if (signal.aborted) return [scope, end]
        if (end.kind === 'reset') reset(scope, end)
        if (end.kind === 'pulled' && scope === 'org') progress.passed(end.checkpoint)
        return [scope, end]
      }),
    )
    if (!signal.aborted) take({ type: 'pulled', end: endOf(ends) })
  }

  function reset(scope: Scope, end: Reset): void {
    stop()
    terms.onPulled(scope, false)
    terms.onReset(end)
  }

  function openStream(patienceMs: number): void {
    closeStream()
    throttle.recordRequest()
    const mine = connectStream(
      { open: terms.openStream, timers, now, patienceMs },
      {
        onLive() {
          take({ type: 'live' })
          terms.onLive()
        },
        onPoke: (poke) => take({ type: 'poke', poke }),
        onResync: () => take({ type: 'resync' }),
        onEnd(end) {
          if (stream !== mine) return
          stream = undefined
          take({ type: 'stream-ended', end })
        },
      },
    )
    stream = mine
  }

  function closeStream(): void {
    stream?.close()
    stream = undefined
  }

  function stop(): void {
    stopped = true
    throttle.stop()
    round.abort()
    closeStream()
  }

  take({ type: 'begin' })
  return {
    resync: () => take({ type: 'begin' }),
    wake: () => take({ type: 'hint' }),
    /** Another call has got through. */
    retrySoon() {
      if (!stopped && state.suspended === undefined) throttle.makeDue()
    },
    /** The server has taken changes of this device. */
    fetchSoon: () => take({ type: 'taken' }),
    async stop(): Promise<void> {
      stop()
      await working
    },
  }
}

/** Sums up the pulls of a round. A refusal says more than a lost answer. */
function endOf(ends: readonly (readonly [Scope, PullEnd])[]): RoundEnd {
  const heads: Partial<Record<Scope, number>> = {}
  const failures: Exclude<RoundEnd, { kind: 'pulled' }>[] = []
  for (const [scope, end] of ends) {
    if (end.kind === 'pulled') heads[scope] = end.head
    else if (end.kind !== 'reset') failures.push(end)
  }
  return failures.find(({ kind }) => kind !== 'unreachable') ?? failures[0] ?? { kind: 'pulled', heads }
}
