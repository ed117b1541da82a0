import { collections, collectionScope, type Collection, type Poke, type Scope } from '#shared/sync/replication-calls.ts'
import type { Timers } from '../drain/wake.ts'
import { createAskBudget, waitAfter } from './ask-budget.ts'
import { connectStream, type OpenedStream, type StreamEnd } from './live-stream.ts'
import { collectionsOf, type Progress } from './progress.ts'
import type { PullEnd } from './pull.ts'

export interface FollowingTerms {
  readonly progress: Progress
  /** Pulls a collection to its end and keeps what came. Never rejects. */
  readonly pull: (name: Collection, signal: AbortSignal) => Promise<PullEnd>
  /**
   * Writes the documents that came with a poke. Never rejects.
   * @returns false where they do not continue what is here: they are to be pulled
   */
  readonly writeCarried: (poke: Poke) => Promise<boolean>
  /** Rejects when nothing, or not our server, answered. */
  readonly openStream: (signal: AbortSignal) => Promise<OpenedStream>
  readonly timers: Timers
  /** Milliseconds of a monotonic clock. */
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
/** A stream that lived shorter than this counts as a failure: reopening it at once would be a storm. */
const steadyMs = 10_000
/** A device that gets no event for a returned network notices after so long. */
const longestRetryMs = 30_000
/** Without a stream another device's change shows after so long at most. */
const longestPollMs = 20_000
/** A hidden page pulls what it missed when it is shown. */
const hiddenPollMs = 300_000
/** A hint comes in bursts: visible, focused, online. */
const hintSpacingMs = 1_000

export type Following = ReturnType<typeof followServer>

/**
 * Follows the server until it is stopped: the live stream says what changed, pulls bring it; without a stream, polls.
 * What fails is tried again, with growing waits for each cause and all of it spaced by one budget, so that an idle device
 * asks seldom whatever comes back.
 */
export function followServer(terms: FollowingTerms) {
  const { progress, timers, now, random } = terms
  const budget = createAskBudget(timers, now)
  const stopping = new AbortController()
  const running = new Map<Collection, Promise<void>>()
  /** The version of each scope that the stream named last. */
  const announced = new Map<Scope, number>()
  const askedAgain = new Set<Collection>()
  const missed = new Set<Collection>()
  const putOff = new Set<Collection>()
  let cancelPutOff: (() => void) | undefined
  let pullFailures = 0
  let streamFailures = 0
  let polls = 0
  let beginnings = 0
  let stream: { close(): void } | undefined
  let isLive = false
  /** A live stream broke off, and it is not known yet whether the network did too. */
  let isDoubted = false
  /** Waits for the user: not signed in, or the server no longer speaks to this version of the app. */
  let suspended: 'signed-out' | 'update-app' | undefined
  let stopped = false
  let hintedAt = -Infinity
  /** The last poke, while its documents are being written. */
  let heard: Promise<void> | undefined

  const isQuiet = () => stopped || suspended !== undefined

  function suspend(why: 'signed-out' | 'update-app'): void {
    suspended = why
    closeStream()
    missed.clear()
    for (const name of ['retry', 'behind', 'poll', 'stream', 'resync']) budget.cancel(name)
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
    const announcedBefore = announced.get(collectionScope[name]) ?? 0
    budget.spent()
    const answered = await terms.pull(name, stopping.signal)
    if (stopped) return
    // An answer from before what the stream has said: something on the way kept it.
    const isOld = answered.kind === 'pulled' && answered.head < announcedBefore
    const end = isOld ? ({ kind: 'unreachable' } as const) : answered
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
    budget.cancel('retry')
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
          budget.cancel('poll')
          budget.cancel('stream')
          terms.onLive()
        },
        onPoke(poke) {
          // In their order: each poke continues the one before.
          heard = heard === undefined ? takePoke(poke) : heard.then(() => takePoke(poke))
          const last = heard
          void last?.then(() => {
            if (heard === last) heard = undefined
          })
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
    // The first break of a healthy stream: reopened when the server wants, or soon, with jitter.
    const soonMs = wasLive && wasWell ? (comeBackMs ?? 300 + 900 * random()) : undefined
    // A reopening that is planned already has a better reason: pulls succeed again.
    if (!budget.isPlanned('stream'))
      budget.plan('stream', soonMs ?? waitAfter(streamFailures, random(), longestRetryMs), connect)
    if (isDoubted && missed.size === 0) void pull('applications')
    isDoubted = wasLive
    planPoll()
  }

  /** @returns what the next poke has to wait for; undefined when this one is done with at once */
  function takePoke(poke: Poke): Promise<void> | undefined {
    if (isQuiet()) return undefined
    const { scope, version, since, collections: names = [] } = poke
    announced.set(scope, Math.max(version, since === undefined ? 0 : (announced.get(scope) ?? 0)))
    // What a stream says first is where its scope is. Below what is here, the server went back; seldom, an answer was faster.
    const ahead = since === undefined && collectionsOf(scope).find((name) => (progress.head(name) ?? 0) > version)
    if (ahead) budget.plan('behind', 0, () => void pull(ahead))
    const isComplete = since !== undefined && collectionsOf(scope).every((name) => (progress.head(name) ?? -1) >= since)
    const isNews = names.some((name) => (progress.head(name) ?? 0) < version)
    const isFree = !names.some((name) => running.has(name) || putOff.has(name))
    if (poke.carried && isNews && isComplete && isFree && !terms.needsPulls() && !terms.areManyLeaving())
      return writeCarried(poke)
    const behind = progress.heard(terms.needsPulls() ? { scope, version } : poke)
    if (behind.length === 0) terms.onProgress()
    else pullSoon(behind)
    return undefined
  }

  /** The documents are here already. A pull that is asked for meanwhile begins after they are written. */
  async function writeCarried(poke: Poke): Promise<void> {
    const names = poke.collections ?? []
    const writing = terms.writeCarried(poke).then((isWritten) => {
      for (const name of names) running.delete(name)
      if (stopped) return
      if (isWritten) {
        progress.carried(poke)
        terms.onProgress()
      } else for (const name of progress.heard(poke)) askedAgain.add(name)
      for (const name of names) if (askedAgain.delete(name)) void pull(name)
    })
    for (const name of names) running.set(name, writing)
    await writing
  }

  function pullAll(): void {
    for (const name of collections) void pull(name)
  }

  function pullPutOff(): void {
    cancelPutOff?.()
    cancelPutOff = undefined
    const names = [...putOff]
    putOff.clear()
    for (const name of names) void pull(name)
  }

  function pullSoon(names: readonly Collection[]): void {
    for (const name of names) putOff.add(name)
    if (!terms.areManyLeaving()) pullPutOff()
    else cancelPutOff ??= timers.after(putOffMs, pullPutOff)
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
    cancelPutOff?.()
    stopping.abort()
    closeStream()
  }

  begin()
  return {
    /** Asks for everything again, now: a person wished it, or the session is good again. */
    resync() {
      if (!stopped) begin()
    },
    /** The page is looked at again, or the network is said to be back: connections may be dead without knowing. */
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
    /** Another call got through: what waits for its retry need not wait long. */
    retrySoon() {
      if (!isQuiet()) budget.makeDue()
    },
    /** The server took changes of this device: pulls their documents as soon as is sensible. */
    fetchSoon: pullSoon,
    /** Changes that were on their way have arrived: pulls what was put off for their sake. */
    fetchPutOff() {
      if (cancelPutOff) pullPutOff()
    },
    async stop(): Promise<void> {
      stop()
      await Promise.allSettled(running.values())
    },
  }
}
