import { collections, collectionScope, type Collection } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import { waitAfter } from './throttle.ts'
import type { StreamEnd } from './live-stream.ts'
import {
  phaseOf,
  plans,
  type Begun,
  type Effect,
  type FollowEvent,
  type FollowState,
  type Plan,
  type Senses,
} from './follow-state.ts'
import { collectionsOf, withCarried, withPoke } from './progress.ts'
import type { PullEnd } from './pull.ts'

/** A slow network gets more time with every failure. */
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
const hintSpacingMs = 1_000

export function transition(
  before: FollowState,
  event: FollowEvent,
  senses: Senses,
): { readonly state: FollowState; readonly effects: readonly Effect[] } {
  const draft = {
    ...before,
    pulling: new Map(before.pulling),
    again: new Set(before.again),
    missed: new Set(before.missed),
    putOff: new Set(before.putOff),
    planned: new Set(before.planned),
    pokes: [...before.pokes],
  }
  const effects: Effect[] = []
  take({ draft, effects, senses }, event)
  return { state: draft, effects }
}

type Draft = { -readonly [K in keyof FollowState]: FollowState[K] } & {
  readonly pulling: Map<Collection, Begun | 'writing'>
  readonly again: Set<Collection>
  readonly missed: Set<Collection>
  readonly putOff: Set<Collection>
  readonly planned: Set<Plan>
  readonly pokes: Poke[]
}

interface Step {
  readonly draft: Draft
  readonly effects: Effect[]
  readonly senses: Senses
}

function take(step: Step, event: FollowEvent): void {
  const { draft } = step
  switch (event.type) {
    case 'begin':
      return begin(step)
    case 'hint':
      return hint(step)
    case 'due':
      draft.planned.delete(event.plan)
      return due(step, event.plan)
    case 'pulled':
      pulled(step, event.name, event.end)
      draft.pulling.delete(event.name)
      if (draft.again.delete(event.name)) pull(step, event.name)
      return
    case 'live':
      draft.stream = 'live'
      draft.isDoubted = false
      draft.polls = 0
      cancel(step, 'poll')
      return cancel(step, 'stream')
    case 'poke':
      draft.pokes.push(event.poke)
      return takePokes(step)
    case 'resync':
      // A server that says so again and again is asked at the throttle's pace.
      return plan(step, 'resync', 0)
    case 'stream-ended':
      return streamEnded(step, event.end)
    case 'written':
      written(step, event.poke, event.isWritten)
      return takePokes(step)
    case 'taken':
      return pullSoon(step, event.names)
    case 'put-off-due':
      if (draft.isPutOffTimed) pullPutOff(step)
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
  const { draft } = step
  draft.beginnings += 1
  draft.suspended = undefined
  draft.pullFailures = 0
  draft.streamFailures = 0
  draft.polls = 0
  draft.missed.clear()
  for (const name of collections) pull(step, name)
  connect(step)
}

function hint(step: Step): void {
  const { draft, senses } = step
  if (draft.suspended === 'signed-out' || senses.now - draft.hintedAt < hintSpacingMs) return
  draft.hintedAt = senses.now
  // The server may have been taken back to the version before.
  if (draft.suspended === 'update-app') return begin(step)
  draft.streamFailures = 0
  draft.pullFailures = 0
  if (draft.missed.size > 0) retryMissed(step)
  else if (draft.stream !== 'live') pull(step, 'applications')
  connect(step)
}

function due(step: Step, name: Plan): void {
  const { draft } = step
  switch (name) {
    case 'retry':
      return retryMissed(step)
    case 'stream':
      return connect(step)
    case 'resync':
      for (const one of collections) pull(step, one)
      return
    case 'behind':
      for (const one of draft.behind) pull(step, one)
      return
    case 'poll':
      draft.polls += 1
      pull(step, 'applications')
      if (draft.polls % 3 === 0) planBehind(step, ['account'])
  }
}

function planBehind(step: Step, names: readonly Collection[]): void {
  step.draft.behind = names
  plan(step, 'behind', 0)
}

function suspend(step: Step, why: 'signed-out' | 'update-app'): void {
  const { draft, effects } = step
  draft.suspended = why
  draft.stream = 'closed'
  draft.missed.clear()
  effects.push({ type: 'close-stream' })
  for (const name of plans) cancel(step, name)
}

function pull({ draft, effects }: Step, name: Collection): void {
  if (phaseOf(draft) === 'suspended') return
  if (draft.pulling.has(name)) {
    draft.again.add(name)
    return
  }
  const announced = draft.announced[collectionScope[name]] ?? 0
  draft.pulling.set(name, { head: draft.heads[name], announced, beginning: draft.beginnings })
  effects.push({ type: 'pull', name })
}

function pulled(step: Step, name: Collection, answered: Exclude<PullEnd, { kind: 'reset' }>): void {
  const { draft, effects, senses } = step
  const begun = draft.pulling.get(name)
  if (begun === undefined || begun === 'writing') return
  // Older than what the stream has named: something on the way kept it.
  const isOld = answered.kind === 'pulled' && answered.head < begun.announced
  const end = isOld ? ({ kind: 'unreachable' } as const) : answered
  switch (end.kind) {
    case 'pulled':
      // The first answer after failures: most likely the stream's trouble is over too.
      if (draft.pullFailures > 0 && draft.stream !== 'live') plan(step, 'stream', 0)
      draft.pullFailures = 0
      draft.missed.delete(name)
      draft.heads = { ...draft.heads, [name]: furthest(end.head, begun.head, draft.heads[name]) }
      effects.push({ type: 'proved', name }, { type: 'progress' }, { type: 'ended', name, arrived: true })
      retryMissed(step)
      lookAtSiblings(step, name, end.head)
      return planPoll(step)
    case 'signed-out':
    case 'update-app':
      // The answer is about a session or server from before.
      if (begun.beginning !== draft.beginnings) draft.again.add(name)
      else suspend(step, end.kind)
      break
    case 'unreachable':
      // Asked for again after this failure it would be a second failure, not a second reason.
      draft.again.delete(name)
      if (draft.missed.size === 0 || draft.missed.has(name)) draft.pullFailures += 1
      draft.missed.add(name)
      plan(step, 'retry', waitAfter(draft.pullFailures, senses.random(), longestRetryMs))
  }
  effects.push({ type: 'ended', name, arrived: false })
}

/** A poke during a pull may have taken the collection further than the pull's answer. */
function furthest(answered: number, before: number | undefined, now: number | undefined): number {
  return now === undefined || now === before ? answered : Math.max(answered, now)
}

/**
 * The head of a scope is news for all of its collections, unless a stream brings it. Not at once: a scope that moves on
 * with every question, or two servers that disagree, would be asked without end.
 */
function lookAtSiblings(step: Step, name: Collection, head: number): void {
  const { draft } = step
  if (draft.stream === 'live' || draft.missed.size > 0) return
  const behind = collectionsOf(collectionScope[name]).filter(
    (other) => (draft.heads[other] ?? head) < head && !draft.pulling.has(other),
  )
  if (behind.length > 0) planBehind(step, behind)
}

/** If one of those that failed succeeds, the next follows at once, else all wait. */
function retryMissed(step: Step): void {
  const [name] = step.draft.missed
  if (name === undefined || phaseOf(step.draft) === 'suspended') return
  cancel(step, 'retry')
  pull(step, name)
}

function planPoll(step: Step): void {
  const { draft, senses } = step
  if (phaseOf(draft) !== 'pulling' || draft.planned.has('poll')) return
  const longest = senses.isVisible() ? longestPollMs : hiddenPollMs
  plan(step, 'poll', waitAfter(draft.polls + 1, 0.5 * senses.random(), longest))
}

function connect({ draft, effects }: Step): void {
  if (phaseOf(draft) === 'suspended') return
  draft.stream = 'opening'
  const patienceMs = Math.min(longestPatienceMs, firstPatienceMs * 2 ** Math.min(draft.streamFailures, 4))
  effects.push({ type: 'open-stream', patienceMs })
}

function streamEnded(step: Step, { livedMs, comeBackMs, refusal }: StreamEnd): void {
  const { draft, senses } = step
  const wasLive = draft.stream === 'live'
  draft.stream = 'closed'
  if (phaseOf(draft) === 'suspended') return
  if (refusal) return suspend(step, refusal)
  const wasWell = draft.streamFailures === 0
  draft.streamFailures = livedMs >= steadyMs ? 0 : draft.streamFailures + 1
  // The first break of a healthy stream: reopened when the server wants, or soon.
  const soonMs = wasLive && wasWell ? (comeBackMs ?? 300 + 900 * senses.random()) : undefined
  // A reopening that is planned already has a better reason: pulls succeed again.
  if (!draft.planned.has('stream'))
    plan(step, 'stream', soonMs ?? waitAfter(draft.streamFailures, senses.random(), longestRetryMs))
  if (draft.isDoubted && draft.missed.size === 0) pull(step, 'applications')
  draft.isDoubted = wasLive
  planPoll(step)
}

function takePokes(step: Step): void {
  const { pokes } = step.draft
  for (let poke = pokes[0]; poke !== undefined && !step.draft.isWriting; poke = pokes[0]) {
    pokes.shift()
    takePoke(step, poke)
  }
}

function takePoke(step: Step, poke: Poke): void {
  const { draft, effects, senses } = step
  if (phaseOf(draft) === 'suspended') return
  const { scope, version, since, collections: names = [] } = poke
  const announced = Math.max(version, since === undefined ? 0 : (draft.announced[scope] ?? 0))
  draft.announced = { ...draft.announced, [scope]: announced }
  const { heads } = draft
  // A stream's first word is where its scope is. Below what is here, the server went back; seldom, an answer was
  // faster.
  const ahead = since === undefined && collectionsOf(scope).find((name) => (heads[name] ?? 0) > version)
  if (ahead) planBehind(step, [ahead])
  const isComplete = since !== undefined && collectionsOf(scope).every((name) => (heads[name] ?? -1) >= since)
  const isNews = names.some((name) => (heads[name] ?? 0) < version)
  const isFree = !names.some((name) => draft.pulling.has(name) || draft.putOff.has(name))
  const needsPulls = senses.needsPulls()
  // A pull asked for meanwhile begins after the documents are written.
  if (poke.carried && isNews && isComplete && isFree && !needsPulls && !senses.areManyLeaving()) {
    for (const name of names) draft.pulling.set(name, 'writing')
    draft.isWriting = true
    effects.push({ type: 'write', poke })
    return
  }
  const heard = withPoke(heads, needsPulls ? { scope, version } : poke)
  draft.heads = heard.heads
  if (heard.behind.length === 0) effects.push({ type: 'progress' })
  else pullSoon(step, heard.behind)
}

function written(step: Step, poke: Poke, isWritten: boolean): void {
  const { draft, effects } = step
  const names = poke.collections ?? []
  const { heads, behind } = isWritten
    ? { heads: withCarried(draft.heads, poke), behind: [] }
    : withPoke(draft.heads, poke)
  draft.heads = heads
  draft.isWriting = false
  for (const name of names) draft.pulling.delete(name)
  if (isWritten) effects.push({ type: 'progress' })
  const wanted = names.filter((name) => draft.again.delete(name))
  for (const name of new Set([...behind, ...wanted])) pull(step, name)
}

function pullSoon(step: Step, names: readonly Collection[]): void {
  const { draft, effects, senses } = step
  for (const name of names) draft.putOff.add(name)
  if (!senses.areManyLeaving()) return pullPutOff(step)
  if (draft.isPutOffTimed) return
  draft.isPutOffTimed = true
  effects.push({ type: 'time-put-off' })
}

function pullPutOff(step: Step): void {
  const { draft, effects } = step
  if (draft.isPutOffTimed) effects.push({ type: 'cancel-put-off' })
  draft.isPutOffTimed = false
  const names = [...draft.putOff]
  draft.putOff.clear()
  for (const name of names) pull(step, name)
}
