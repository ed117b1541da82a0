import { scopes, type Scope } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import type { StreamEnd } from './live-stream.ts'
import type { Heads } from './progress.ts'
import type { PullEnd } from './pull.ts'
import { waitAfter } from './throttle.ts'

/** A slow network gets more time with every failure. */
const firstPatienceMs = 6_000
const longestPatienceMs = 30_000
/** A stream that lived shorter than this counts as a failure: reopening it at once would be a storm. */
const steadyMs = 10_000
/** A device that gets no event for a returned network notices after so long. */
const longestRetryMs = 30_000
/** Without a stream another device's change shows after this long at most. */
const longestPollMs = 20_000
/** A hidden page pulls what it missed when it is shown. */
const hiddenPollMs = 300_000
const hintSpacingMs = 1_000

/**
 * Requests that no news causes; one of each is planned at most. `pull`: something may be missed. `poll`: there is no
 * stream that would say what is new. `stream`: it is opened again.
 */
export const plans = ['pull', 'poll', 'stream'] as const
export type Plan = (typeof plans)[number]

type Versions = Readonly<Partial<Record<Scope, number>>>

/** The scopes are pulled together, and succeed or fail together. */
export interface Round {
  readonly scopes: readonly Scope[]
  /** The stream had announced this when the round began. */
  readonly announced: Versions
}

export type RoundEnd =
  | { readonly kind: 'pulled'; readonly heads: Heads }
  | Exclude<PullEnd, { kind: 'pulled' } | { kind: 'reset' }>

export interface FollowState {
  readonly suspended: 'signed-out' | 'update-app' | undefined
  readonly stream: 'closed' | 'opening' | 'live'
  readonly heads: Heads
  /** The present stream named these versions last, by scope. */
  readonly announced: Versions
  readonly round: Round | undefined
  /** These are to be pulled after the round, whatever it brings. */
  readonly again: ReadonlySet<Scope>
  readonly planned: ReadonlySet<Plan>
  readonly pullFailures: number
  readonly streamFailures: number
  readonly polls: number
  readonly begunAt: number
}

export const unfollowed = (heads: Heads): FollowState => ({
  suspended: undefined,
  stream: 'closed',
  heads,
  announced: {},
  round: undefined,
  again: new Set(),
  planned: new Set(),
  pullFailures: 0,
  streamFailures: 0,
  polls: 0,
  begunAt: -Infinity,
})

export type Phase = 'suspended' | 'live' | 'offline' | 'pulling'

export function phaseOf({ suspended, stream, pullFailures }: FollowState): Phase {
  if (suspended !== undefined) return 'suspended'
  if (stream === 'live') return 'live'
  return pullFailures > 0 ? 'offline' : 'pulling'
}

export interface Senses {
  /** The clock is monotonic and counts milliseconds. */
  readonly now: number
  /** Returns 0–1, to spread devices that failed together. */
  readonly random: () => number
  readonly isVisible: () => boolean
}

export type FollowEvent =
  /** A person asks, or the session is good again. */
  | { readonly type: 'begin' }
  /** The page is looked at again, or the network is said to be back: connections may be dead unnoticed. */
  | { readonly type: 'hint' }
  | { readonly type: 'due'; readonly plan: Plan }
  | { readonly type: 'pulled'; readonly end: RoundEnd }
  | { readonly type: 'live' }
  | { readonly type: 'poke'; readonly poke: Poke }
  /** Something may have been missed. */
  | { readonly type: 'resync' }
  | { readonly type: 'stream-ended'; readonly end: StreamEnd }
  /** The server has taken changes of this device. */
  | { readonly type: 'taken' }

export type Effect =
  /** Gives up a round under way, whose end is not reported. */
  | { readonly type: 'pull'; readonly scopes: readonly Scope[] }
  /** Everything up to the new heads is here: it proves what was acknowledged before the round began. */
  | { readonly type: 'arrived'; readonly scopes: readonly Scope[] }
  | { readonly type: 'failed'; readonly scopes: readonly Scope[] }
  /** The server has nothing newer at this moment. */
  | { readonly type: 'confirmed' }
  /** Closes an open one. The stream has `patienceMs` for its first word. */
  | { readonly type: 'open-stream'; readonly patienceMs: number }
  | { readonly type: 'close-stream' }
  | { readonly type: 'plan'; readonly plan: Plan; readonly waitMs: number }
  | { readonly type: 'cancel'; readonly plan: Plan }

type Draft = { -readonly [K in keyof FollowState]: FollowState[K] } & {
  readonly again: Set<Scope>
  readonly planned: Set<Plan>
}

interface Step {
  readonly draft: Draft
  readonly effects: Effect[]
  readonly senses: Senses
}

export function transition(
  before: FollowState,
  event: FollowEvent,
  senses: Senses,
): { readonly state: FollowState; readonly effects: readonly Effect[] } {
  const draft = { ...before, again: new Set(before.again), planned: new Set(before.planned) }
  const effects: Effect[] = []
  take({ draft, effects, senses }, event)
  return { state: draft, effects }
}

function take(step: Step, event: FollowEvent): void {
  const { draft, senses } = step
  switch (event.type) {
    case 'begin':
      return begin(step)
    case 'hint':
      // The server may have been taken back to the version before, but no one has signed in.
      if (draft.suspended === 'signed-out' || senses.now - draft.begunAt < hintSpacingMs) return
      return begin(step)
    case 'due':
      draft.planned.delete(event.plan)
      if (event.plan === 'stream') return connect(step)
      if (event.plan === 'poll') draft.polls += 1
      return pull(step, scopes)
    case 'pulled':
      return pulled(step, event.end)
    case 'live':
      draft.stream = 'live'
      draft.polls = 0
      cancel(step, 'poll')
      return cancel(step, 'stream')
    case 'poke':
      return takePoke(step, event.poke)
    case 'resync':
      // A server that says so again and again is asked at the throttle's pace.
      return plan(step, 'pull', 0)
    case 'stream-ended':
      return streamEnded(step, event.end)
    case 'taken':
      return pull(step, ['org'])
  }
}

function plan({ draft, effects }: Step, name: Plan, waitMs: number): void {
  if (phaseOf(draft) === 'suspended') return
  draft.planned.add(name)
  effects.push({ type: 'plan', plan: name, waitMs })
}

function cancel({ draft, effects }: Step, name: Plan): void {
  if (draft.planned.delete(name)) effects.push({ type: 'cancel', plan: name })
}

function begin(step: Step): void {
  const { draft, senses } = step
  draft.begunAt = senses.now
  draft.suspended = undefined
  draft.pullFailures = 0
  draft.streamFailures = 0
  draft.polls = 0
  // What a round from before comes to, a 401 or a dead connection, says nothing about now.
  draft.round = undefined
  draft.again.clear()
  pull(step, scopes)
  connect(step)
}

function suspend(step: Step, why: 'signed-out' | 'update-app'): void {
  const { draft, effects } = step
  draft.suspended = why
  draft.stream = 'closed'
  effects.push({ type: 'close-stream' })
  for (const name of plans) cancel(step, name)
}

/** One round at a time: what is wanted during a round is pulled once, after it. A planned pull is taken along. */
function pull(step: Step, wanted: readonly Scope[]): void {
  const { draft, effects } = step
  if (phaseOf(draft) === 'suspended') return
  if (draft.round) {
    for (const scope of wanted) draft.again.add(scope)
    return
  }
  const names = draft.planned.has('pull') ? scopes : wanted
  cancel(step, 'pull')
  cancel(step, 'poll')
  draft.round = { scopes: names, announced: draft.announced }
  effects.push({ type: 'pull', scopes: names })
}

function pulled(step: Step, end: RoundEnd): void {
  const { draft, effects, senses } = step
  const { round } = draft
  if (!round) return
  const again = new Set(draft.again)
  draft.round = undefined
  draft.again.clear()
  if (end.kind === 'pulled' && !isOld(end.heads, round)) {
    // The first answer after failures: most likely the stream's trouble is over too.
    if (draft.pullFailures > 0 && draft.stream !== 'live') plan(step, 'stream', 0)
    draft.pullFailures = 0
    draft.heads = { ...draft.heads, ...end.heads }
    effects.push({ type: 'arrived', scopes: round.scopes })
    const wanted = scopes.filter((scope) => again.has(scope) || isBehind(draft, scope))
    return wanted.length > 0 ? pull(step, wanted) : planPoll(step)
  }
  effects.push({ type: 'failed', scopes: round.scopes })
  if (end.kind === 'signed-out' || end.kind === 'update-app') return suspend(step, end.kind)
  draft.pullFailures += 1
  plan(step, 'pull', waitAfter(draft.pullFailures, senses.random(), longestRetryMs))
}

/** The stream had named a newer version before the question was asked: something on the way kept the answer. */
const isOld = (heads: Heads, round: Round) =>
  round.scopes.some((scope) => (heads[scope] ?? 0) < (round.announced[scope] ?? 0))

const isBehind = ({ heads, announced }: FollowState, scope: Scope) => (heads[scope] ?? 0) < (announced[scope] ?? 0)

function takePoke(step: Step, { scope, version }: Poke): void {
  const { draft, effects } = step
  if (phaseOf(draft) === 'suspended') return
  const before = draft.announced[scope]
  draft.announced = { ...draft.announced, [scope]: Math.max(version, before ?? 0) }
  const head = draft.heads[scope] ?? 0
  // A stream's first word is where its scope is. Below what is here, the server went back; seldom, an answer was
  // faster.
  if (before === undefined && version < head) return plan(step, 'pull', 0)
  if (version === head) effects.push({ type: 'confirmed' })
  // A round under way may bring it.
  if (!draft.round && isBehind(draft, scope)) pull(step, [scope])
}

function planPoll(step: Step): void {
  const { draft, senses } = step
  if (phaseOf(draft) !== 'pulling' || draft.round || draft.planned.has('pull') || draft.planned.has('poll')) return
  const longest = senses.isVisible() ? longestPollMs : hiddenPollMs
  plan(step, 'poll', waitAfter(draft.polls + 1, 0.5 * senses.random(), longest))
}

function connect(step: Step): void {
  const { draft, effects } = step
  if (phaseOf(draft) === 'suspended') return
  cancel(step, 'stream')
  draft.stream = 'opening'
  draft.announced = {}
  const patienceMs = Math.min(longestPatienceMs, firstPatienceMs * 2 ** Math.min(draft.streamFailures, 4))
  effects.push({ type: 'open-stream', patienceMs })
}

function streamEnded(step: Step, { livedMs, comeBackMs, refusal }: StreamEnd): void {
  const { draft, senses } = step
  draft.stream = 'closed'
  if (phaseOf(draft) === 'suspended') return
  if (refusal) return suspend(step, refusal)
  const isSteady = livedMs >= steadyMs
  draft.streamFailures = isSteady ? 0 : draft.streamFailures + 1
  // A reopening that is planned already has a better reason: pulls succeed again.
  if (!draft.planned.has('stream')) {
    const soonMs = comeBackMs ?? 300 + 900 * senses.random()
    plan(step, 'stream', isSteady ? soonMs : waitAfter(draft.streamFailures, senses.random(), longestRetryMs))
  }
  if (phaseOf(draft) !== 'pulling' || draft.round) return
  // A steady stream has ended and does not open again: only a pull can tell whether the network is gone.
  if (livedMs === 0 && draft.streamFailures === 1) pull(step, ['org'])
  else planPoll(step)
}
