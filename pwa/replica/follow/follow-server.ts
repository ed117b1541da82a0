import { collections, collectionScope, type Collection } from '#shared/sync/replication-calls.ts'
import type { Timers } from '../../outbox/drain/replay.ts'
import { createAskBudget, waitAfter } from './ask-budget.ts'
import { connectStream, type OpenedStream, type StreamEnd } from './live-stream.ts'
import { collectionsOf, type Progress } from './progress.ts'
import type { PullEnd } from './pull.ts'

/** A tab that keeps the replica equal to what the server says, until it stops. */
export interface Following {
  /** Asks for everything again, now: a person wished it, or the session is good again. */
  resync(): void
  /** The page is looked at again, or the network is said to be back: everything may be dead without knowing. */
  wake(): void
  /** Another call got through: what waits for its next try need not wait long. */
  hurry(): void
  /** The server took changes of this device: their documents are asked for as soon as is sensible. */
  fetchSoon(names: readonly Collection[]): void
  /** Changes that were on their way have arrived: what was put off for their sake is asked for now. */
  fetchPutOff(): void
  stop(): Promise<unknown>
}

export interface FollowingTerms {
  readonly progress: Progress
  /** Pulls a collection to its end and keeps what came. Never rejects. */
  readonly pull: (name: Collection, signal: AbortSignal) => Promise<PullEnd>
  /** Rejects when nothing, or not our server, answered. */
  readonly openStream: (signal: AbortSignal) => Promise<OpenedStream>
  readonly timers: Timers
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
  /** 0–1, to spread devices that failed together. */
  readonly random: () => number
  readonly isVisible: () => boolean
  /** The changes that the server has acknowledged so far: what a pull that begins now proves settled. */
  readonly acknowledged: () => ReadonlySet<number>
  /** What was acknowledged without a version is settled by pulls alone: then a poke's word is not enough. */
  readonly needsPulls: () => boolean
  /** Many changes are on their way: what they cause is asked for in few pieces, not in one per answer. */
  readonly areManyLeaving: () => boolean
  /** The stream is live. */
  readonly onLive: () => void
  /** Something is written, or known to be complete up to a later version. */
  readonly onProgress: () => void
  /** A pull ended: everything of the collection arrived, or not. */
  readonly onPulled: (name: Collection, arrived: boolean) => void
  /** The copy cannot be continued. Nothing more is asked. */
  readonly onReset: (reset: Extract<PullEnd, { kind: 'reset' }>) => void
}

const putOffMs = 300
/** The server says its first word at once; a slow network gets more time with every failure. */
const firstPatienceMs = 6_000
const longestPatienceMs = 30_000
/** A stream that lived shorter than this was none: opened again and again it would be a storm. */
const steadyMs = 10_000
/** A device that nothing tells of a network that is back finds out after so long. */
const longestRetryMs = 30_000
/** Without a stream another device's change shows after so long at most. */
const longestPollMs = 20_000
/** Nobody looks: what is missed is asked for when somebody does. */
const hiddenPollMs = 300_000
/** A hint comes in bursts: visible, focused, online. */
const hintSpacingMs = 1_000

/**
 * Follows the server: the live stream says what changed, pulls bring it. While there is no stream, polls take its place.
 * What fails is tried again, with growing waits for each cause and all of it spaced by one budget, so that an idle device
 * asks seldom whatever comes back.
 */
export function followServer(terms: FollowingTerms): Following {
  const { progress, timers, now, random } = terms
  const budget = createAskBudget(timers, now)
  const stopping = new AbortController()
  const running = new Map<Collection, Promise<void>>()
  const askedAgain = new Set<Collection>()
  const missed = new Set<Collection>()
  const putOff = new Set<Collection>()
  let callOffPutOff: (() => void) | undefined
  let pullFailures = 0
  let streamFailures = 0
  let polls = 0
  let beginnings = 0
  let stream: { close(): void } | undefined
  let isLive = false
  /** A stream that lived has broken off, and nothing has shown yet whether it was the stream alone. */
  let isDoubted = false
  /** Waits for a person: nobody is signed in, or the server no longer speaks to this version of the app. */
  let suspended: 'signed-out' | 'update-app' | undefined
  let stopped = false
  let hintedAt = -Infinity

  const isQuiet = () => stopped || suspended !== undefined

  function suspend(why: 'signed-out' | 'update-app'): void {
    suspended = why
    closeStream()
    missed.clear()
    for (const name of ['retry', 'behind', 'poll', 'stream', 'resync']) budget.callOff(name)
  }

  function closeStream(): void {
    stream?.close()
    stream = undefined
    isLive = false
  }

  function pull(name: Collection): Promise<void> {
    if (isQuiet()) return Promise.resolve()
    const present = running.get(name)
    if (present) {
      askedAgain.add(name)
      return present
    }
    const run = pullOnce(name).finally(() => {
      running.delete(name)
      if (askedAgain.delete(name)) void pull(name)
    })
    running.set(name, run)
    return run
  }

  async function pullOnce(name: Collection): Promise<void> {
    const asked = terms.acknowledged()
    const headBefore = progress.head(name)
    const begunIn = beginnings
    budget.spent()
    const end = await terms.pull(name, stopping.signal)
    if (stopped) return
    switch (end.kind) {
      case 'pulled':
        // The first answer after failures: most likely the stream fails, or hangs, for the cause that is over.
        if (pullFailures > 0 && !isLive) budget.plan('stream', 0, connect)
        pullFailures = 0
        missed.delete(name)
        progress.pulled(name, furthest(end.head, headBefore, progress.head(name)), asked)
        terms.onProgress()
        terms.onPulled(name, true)
        retryMissed()
        lookAtSiblings(name, end.head)
        planPoll()
        return
      case 'reset':
        stop()
        terms.onPulled(name, false)
        terms.onReset(end)
        return
      case 'signed-out':
      case 'update-app':
        // Said of a session or server from before this was begun again.
        if (begunIn !== beginnings) askedAgain.add(name)
        else suspend(end.kind)
        terms.onPulled(name, false)
        return
      case 'unreachable':
        // Asked for again after this failure it would be a second failure, not a second reason.
        askedAgain.delete(name)
        if (missed.size === 0 || missed.has(name)) pullFailures += 1
        missed.add(name)
        if (suspended === undefined)
          budget.plan('retry', waitAfter(pullFailures, random(), longestRetryMs), retryMissed)
        terms.onPulled(name, false)
    }
  }

  /** A poke that came while a question was under way may have taken the collection further than its answer. */
  function furthest(answered: number, before: number | undefined, now: number | undefined): number {
    return now === undefined || now === before ? answered : Math.max(answered, now)
  }

  /**
   * The head of a scope is news for all of its collections; where a stream is, it tells. Not at once: a scope that moves on
   * with every question, or two servers that do not agree, would be asked without end.
   */
  function lookAtSiblings(name: Collection, head: number): void {
    if (isLive || missed.size > 0) return
    const behind = collectionsOf(collectionScope[name]).filter(
      (other) => (progress.head(other) ?? head) < head && !running.has(other),
    )
    if (behind.length > 0) budget.plan('behind', 0, () => behind.forEach((other) => void pull(other)))
  }

  /** One of those that failed: if it succeeds, the next follows at once, else all wait. */
  function retryMissed(): void {
    const [name] = missed
    if (name === undefined || isQuiet()) return
    budget.callOff('retry')
    void pull(name)
  }

  /** Without a stream, a question now and then: the organizer's scope mostly, whose head tells of all its collections. */
  function planPoll(): void {
    if (isLive || isQuiet() || missed.size > 0 || budget.isPlanned('poll')) return
    const longest = terms.isVisible() ? longestPollMs : hiddenPollMs
    budget.plan('poll', waitAfter(polls + 1, 0.5 * random(), longest), () => {
      polls += 1
      void pull('applications')
      if (polls % 3 === 0) budget.plan('behind', 0, () => void pull('account'))
    })
  }

  function connect(): void {
    if (isQuiet()) return
    closeStream()
    budget.spent()
    const patienceMs = Math.min(longestPatienceMs, firstPatienceMs * 2 ** Math.min(streamFailures, 4))
    const mine = connectStream(
      { open: terms.openStream, timers, now, patienceMs },
      {
        onLive() {
          isLive = true
          isDoubted = false
          polls = 0
          budget.callOff('poll')
          budget.callOff('stream')
          terms.onLive()
        },
        onPoke(poke) {
          const { scope, version, since } = poke
          // What a stream says first is where its scope is. Below what is here, the server went back; seldom, an answer was faster.
          const ahead = since === undefined && collectionsOf(scope).find((name) => (progress.head(name) ?? 0) > version)
          if (ahead) budget.plan('behind', 0, () => void pull(ahead))
          const behind = progress.heard(terms.needsPulls() ? { scope, version } : poke)
          if (behind.length === 0) terms.onProgress()
          else pullSoon(behind)
        },
        // A server that says so again and again is answered at the budget's pace.
        onResync: () => budget.plan('resync', 0, pullAll),
        onEnd: (end) => {
          if (stream === mine) streamEnded(end)
        },
      },
    )
    stream = mine
  }

  function streamEnded({ livedMs, comeBackMs, refusal }: StreamEnd): void {
    const wasLive = isLive
    stream = undefined
    isLive = false
    if (isQuiet()) return
    if (refusal) return suspend(refusal)
    const wasWell = streamFailures === 0
    streamFailures = livedMs >= steadyMs ? 0 : streamFailures + 1
    // One that was well is opened again when the server wishes, or soon, at a moment of this device's own; once.
    const soonMs = wasLive && wasWell ? (comeBackMs ?? 300 + 900 * random()) : undefined
    // One that is planned already was planned for a reason that this end knows nothing of: questions are answered again.
    if (!budget.isPlanned('stream'))
      budget.plan('stream', soonMs ?? waitAfter(streamFailures, random(), longestRetryMs), connect)
    if (isDoubted && missed.size === 0) void pull('applications')
    isDoubted = wasLive
    planPoll()
  }

  function pullAll(): void {
    for (const name of collections) void pull(name)
  }

  function pullPutOff(): void {
    callOffPutOff?.()
    callOffPutOff = undefined
    const names = [...putOff]
    putOff.clear()
    for (const name of names) void pull(name)
  }

  function pullSoon(names: readonly Collection[]): void {
    for (const name of names) putOff.add(name)
    if (!terms.areManyLeaving()) pullPutOff()
    else callOffPutOff ??= timers.after(putOffMs, pullPutOff)
  }

  function begin(): void {
    beginnings += 1
    suspended = undefined
    pullFailures = 0
    streamFailures = 0
    polls = 0
    missed.clear()
    pullAll()
    connect()
  }

  function stop(): void {
    stopped = true
    budget.stop()
    callOffPutOff?.()
    stopping.abort()
    closeStream()
  }

  begin()
  return {
    resync() {
      if (!stopped) begin()
    },
    wake() {
      if (stopped || suspended === 'signed-out' || now() - hintedAt < hintSpacingMs) return
      hintedAt = now()
      // The server may have been taken back to the version before.
      if (suspended === 'update-app') return begin()
      streamFailures = 0
      pullFailures = 0
      if (missed.size > 0) retryMissed()
      else if (!isLive) void pull('applications')
      connect()
    },
    hurry() {
      if (!isQuiet()) budget.hurry()
    },
    fetchSoon: pullSoon,
    fetchPutOff() {
      if (callOffPutOff) pullPutOff()
    },
    async stop() {
      stop()
      await Promise.allSettled(running.values())
    },
  }
}
