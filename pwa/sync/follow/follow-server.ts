import type { Collection } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import type { Timers } from '../drain/wake.ts'
import { createThrottle } from './throttle.ts'
import { transition } from './follow-machine.ts'
import { unfollowed, type Effect, type FollowEvent, type Senses } from './follow-state.ts'
import { connectStream, type OpenedStream } from './live-stream.ts'
import type { Progress } from './progress.ts'
import type { PullEnd } from './pull.ts'

export interface FollowingTerms extends Omit<Senses, 'now'> {
  readonly progress: Progress
  /** Never rejects. */
  readonly pull: (name: Collection, signal: AbortSignal) => Promise<PullEnd>
  /** Never rejects. @returns false where the documents do not continue what is here: they are to be pulled */
  readonly writeCarried: (poke: Poke) => Promise<boolean>
  /** Rejects when nothing, or not our server, answered. */
  readonly openStream: (signal: AbortSignal) => Promise<OpenedStream>
  readonly timers: Timers
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** A pull that begins now proves these changes settled. */
  readonly acknowledged: () => ReadonlySet<number>
  readonly onLive: () => void
  readonly onProgress: () => void
  readonly onPulled: (name: Collection, arrived: boolean) => void
  /** The copy cannot be continued: following has stopped. */
  readonly onReset: (reset: Extract<PullEnd, { kind: 'reset' }>) => void
}

const putOffMs = 300

export type Following = ReturnType<typeof followServer>

/** One throttle spaces the requests that no news causes: an idle device asks seldom, whatever is answered. */
export function followServer(terms: FollowingTerms) {
  const { progress, timers, now } = terms
  const throttle = createThrottle(timers, now)
  const stopping = new AbortController()
  const working = new Set<Promise<unknown>>()
  const asked = new Map<Collection, ReadonlySet<number>>()
  let state = unfollowed(progress.heads())
  const events: FollowEvent[] = []
  let isTaking = false
  let stream: { close(): void } | undefined
  let cancelPutOff = () => {}
  let stopped = false

  /** One event after the other, also where an effect causes one. */
  function take(event: FollowEvent): void {
    events.push(event)
    if (isTaking) return
    isTaking = true
    try {
      for (let next = events.shift(); next && !stopped; next = events.shift()) {
        const taken = transition(state, next, { ...terms, now: now() })
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
        return work(pull(effect.name))
      case 'write':
        return work(
          terms.writeCarried(effect.poke).then((isWritten) => take({ type: 'written', poke: effect.poke, isWritten })),
        )
      case 'open-stream':
        return openStream(effect.patienceMs)
      case 'close-stream':
        return closeStream()
      case 'plan':
        return throttle.plan(effect.plan, effect.waitMs, () => take({ type: 'due', plan: effect.plan }))
      case 'cancel':
        return throttle.cancel(effect.plan)
      case 'time-put-off':
        cancelPutOff = timers.after(putOffMs, () => take({ type: 'put-off-due' }))
        return
      case 'cancel-put-off':
        return cancelPutOff()
      case 'proved':
        return progress.pulled(effect.name, asked.get(effect.name) ?? new Set())
      case 'progress':
        return terms.onProgress()
      case 'ended':
        return terms.onPulled(effect.name, effect.arrived)
    }
  }

  function work(promise: Promise<unknown>): void {
    working.add(promise)
    void promise.finally(() => working.delete(promise))
  }

  async function pull(name: Collection): Promise<void> {
    asked.set(name, terms.acknowledged())
    throttle.recordRequest()
    const end = await terms.pull(name, stopping.signal)
    if (stopped) return
    if (end.kind !== 'reset') return take({ type: 'pulled', name, end })
    stop()
    terms.onPulled(name, false)
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
    cancelPutOff()
    stopping.abort()
    closeStream()
  }

  take({ type: 'begin' })
  return {
    resync: () => take({ type: 'begin' }),
    wake: () => take({ type: 'hint' }),
    /** Another call got through. */
    retrySoon() {
      if (!stopped && state.suspended === undefined) throttle.makeDue()
    },
    fetchSoon: (names: readonly Collection[]) => take({ type: 'taken', names }),
    /** Changes under way have arrived: pulls what was put off for them. */
    fetchPutOff: () => take({ type: 'put-off-due' }),
    async stop(): Promise<void> {
      stop()
      await Promise.allSettled(working)
    },
  }
}
