import { collections, type Collection } from '#shared/sync/collections.ts'
import { describe, expect, it } from 'vitest'
import { sized } from '../../../sync-server/testing/proof-size.ts'
import { pulledTo } from '../testing/scripted-server.ts'
import { seededRandom } from '../testing/simulation/sim-world.ts'
import { transition } from './follow-machine.ts'
import {
  phaseOf,
  plans,
  unfollowed,
  type Effect,
  type FollowEvent,
  type FollowState,
  type Phase,
  type Plan,
  type Senses,
} from './follow-state.ts'

const senses = (more: Partial<Senses> = {}): Senses => ({
  now: 100_000,
  random: () => 0,
  isVisible: () => true,
  needsPulls: () => false,
  areManyLeaving: () => false,
  ...more,
})
const pulled = (name: Collection, head = 5): FollowEvent => ({ type: 'pulled', name, end: pulledTo(head) })
const failed = (name: Collection): FollowEvent => ({ type: 'pulled', name, end: { kind: 'unreachable' } })
const refused: FollowEvent = { type: 'pulled', name: 'events', end: { kind: 'signed-out', isRevoked: false } }
const begin: FollowEvent = { type: 'begin' }
const hint: FollowEvent = { type: 'hint' }
const live: FollowEvent = { type: 'live' }
const due = (plan: Plan): FollowEvent => ({ type: 'due', plan })
const ended = (livedMs = 0): FollowEvent => ({
  type: 'stream-ended',
  end: { livedMs, comeBackMs: undefined, refusal: undefined },
})
const outdated: FollowEvent = {
  type: 'stream-ended',
  end: { livedMs: 0, comeBackMs: undefined, refusal: 'update-app' },
}
const poke = (version: number, since?: number): FollowEvent => ({
  type: 'poke',
  poke: { scope: 'org', version, ...(since === undefined ? {} : { since, collections: ['applications'] }) },
})

const after = (events: readonly FollowEvent[]) =>
  events.reduce((state, event) => transition(state, event, senses()).state, unfollowed({}))
const allPulled = [begin, ...collections.map((name) => pulled(name))]
const roads: Record<Phase, readonly FollowEvent[]> = {
  pulling: [...allPulled, ended()],
  live: [...allPulled, live],
  offline: [begin, ...collections.map(failed), ended()],
  suspended: [begin, refused, ...(['applications', 'account'] as const).map(failed)],
}

/** An effect in a word or two. */
function wordOf(effect: Effect): string {
  if ('plan' in effect) return `${effect.type} ${effect.plan}${'waitMs' in effect ? ` in ${effect.waitMs / 1000}` : ''}`
  if ('name' in effect) return `${effect.type} ${effect.name}`
  return effect.type
}

describe('following the server', () => {
  it.each<[Phase, string, FollowEvent, Phase, string[]]>([
    ['pulling', 'a plan to poll that is due', due('poll'), 'pulling', ['pull applications']],
    ['pulling', 'a plan for the stream that is due', due('stream'), 'pulling', ['open-stream']],
    ['pulling', 'a stream that speaks', live, 'live', ['cancel poll', 'cancel stream']],
    ['pulling', 'a hint', hint, 'pulling', ['pull applications', 'open-stream']],
    ['live', 'a poke', poke(6), 'live', ['pull events', 'pull applications']],
    ['live', 'a poke about one collection', poke(6, 5), 'live', ['pull applications']],
    ['live', 'old news', poke(5), 'live', ['progress']],
    ['live', 'a word that the server went back', poke(4), 'live', ['plan behind in 0', 'progress']],
    ['live', 'a server that asks for a resync', { type: 'resync' }, 'live', ['plan resync in 0']],
    ['live', 'a stream that breaks', ended(60_000), 'pulling', ['plan stream in 0.3', 'plan poll in 5']],
    ['live', 'a refusal of the stream', outdated, 'suspended', ['close-stream']],
    ['offline', 'a retry that is due', due('retry'), 'offline', ['pull events']],
    ['offline', 'a hint', hint, 'offline', ['cancel retry', 'pull events', 'open-stream']],
    ['offline', 'a stream that speaks', live, 'live', ['cancel stream']],
    ['suspended', 'a hint', hint, 'suspended', []],
    ['suspended', 'a poke', poke(6), 'suspended', []],
    ['suspended', 'a person who asks', begin, 'pulling', [...collections.map((name) => `pull ${name}`), 'open-stream']],
  ])('%s: %s', (phase, _, event, next, words) => {
    const state = after(roads[phase])
    expect(phaseOf(state)).toBe(phase)
    const { state: came, effects } = transition(state, event, senses())
    expect([phaseOf(came), effects.map(wordOf)]).toEqual([next, words])
  })

  it('goes on where one pull after another succeeds again', () => {
    const offline = after([...roads.offline, due('retry')])
    const { state, effects } = transition(offline, pulled('events'), senses())
    expect(effects.map(wordOf)).toEqual([
      'plan stream in 0',
      'proved events',
      'progress',
      'ended events',
      'pull applications',
    ])
    expect(phaseOf(after([...roads.offline, due('retry'), ...collections.map((name) => pulled(name))]))).toBe('pulling')
    expect(state.missed).toEqual(new Set(['applications', 'account']))
  })
})

type Transition = typeof transition

/** What the page really has under way, which knows effects alone. */
function walk(seed: number, steps: number, change: Transition): string[] {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const pulls = new Set<Collection>()
  const planned = new Set<Plan>()
  let hasStream = false
  let head = 1
  let now = 0
  let state: FollowState = unfollowed({})
  const take = (event: FollowEvent): string[] => {
    now += random() * 3_000
    const taken = change(state, event, senses({ now, random, areManyLeaving: () => random() < 0.2 }))
    state = taken.state
    for (const effect of taken.effects) {
      if (effect.type === 'pull' && pulls.has(effect.name)) return [`${effect.name} is pulled twice at once`]
      if (effect.type === 'pull') pulls.add(effect.name)
      if (effect.type === 'open-stream') hasStream = true
      if (effect.type === 'close-stream') hasStream = false
      if (effect.type === 'plan') planned.add(effect.plan)
      if (effect.type === 'cancel') planned.delete(effect.plan)
    }
    return []
  }
  const anyEvent = (): FollowEvent => {
    const kind = random()
    const name = pick([...pulls, undefined])
    if (name && kind < 0.5) {
      pulls.delete(name)
      if (random() < 0.6) return pulled(name, head)
      return random() < 0.9 ? failed(name) : { type: 'pulled', name, end: { kind: 'update-app' } }
    }
    const plan = pick([...planned, undefined])
    if (plan && kind < 0.7) {
      planned.delete(plan)
      return due(plan)
    }
    if (hasStream && kind < 0.95) {
      if (state.stream === 'opening' && random() < 0.7) return live
      if (random() < 0.5) return poke((head += Math.floor(random() * 3)), random() < 0.5 ? head - 1 : undefined)
      hasStream = false
      return random() < 0.05 ? outdated : ended(random() * 20_000)
    }
    return pick<FollowEvent>([hint, { type: 'taken', names: ['applications'] }, { type: 'put-off-due' }])
  }
  const problems = take(begin)
  for (let step = 0; step < steps && problems.length === 0; step++) {
    problems.push(...take(anyEvent()))
    const phase = phaseOf(state)
    const idle = pulls.size === 0 && planned.size === 0 && !hasStream
    if (phase === 'suspended' && !(planned.size === 0 && !hasStream)) problems.push('suspended, it asks all the same')
    if (phase !== 'suspended' && idle) problems.push(`${phase}, nothing will ever ask again`)
    if (phase === 'offline' && !planned.has('retry') && ![...state.missed].some((name) => pulls.has(name)))
      problems.push('what failed is never retried')
    if ([...state.pulling].some(([name, begun]) => begun !== 'writing' && !pulls.has(name)))
      problems.push('a pull that never began is waited for')
    if (plans.some((plan) => state.planned.has(plan) !== planned.has(plan))) problems.push('a plan is lost')
    // Looked at again, with a good session and an app that is new enough, it always goes on.
    if (random() < 0.02) problems.push(...take(begin))
    if (phaseOf(state) === 'suspended' && random() < 0.1) {
      problems.push(...take(begin))
      if (phaseOf(state) === 'suspended') problems.push('suspended for ever')
    }
  }
  return problems
}

const walks = sized(2_000, 100)
const findIn = (change: Transition) => {
  for (let seed = 1; seed <= walks; seed++) {
    const problems = walk(seed, 200, change)
    if (problems.length > 0) return `seed ${seed}: ${problems.join(', ')}`
  }
  return undefined
}

/** A machine that loses an effect. */
const without =
  (isLost: (effect: Effect) => boolean): Transition =>
  (...given) => {
    const { state, effects } = transition(...given)
    return { state, effects: effects.filter((effect) => !isLost(effect)) }
  }

describe('a walk through everything that can happen', () => {
  it(`always asks again, asks once, and rests when it has to (${walks.toLocaleString('en')} walks of 200 events)`, () => {
    expect(findIn(transition)).toBeUndefined()
  })

  const bugs: Record<string, Transition> = {
    'a retry that is not planned': without(
      ({ type, ...more }) => type === 'plan' && (more as { plan: Plan }).plan === 'retry',
    ),
    'a pull that does not begin': without(({ type }) => type === 'pull'),
    'a stream that is not closed': without(({ type }) => type === 'close-stream'),
    'a suspension that cannot be left': (state, event, given) =>
      event.type === 'begin' && state.suspended ? { state, effects: [] } : transition(state, event, given),
    'a pull that begins beside one that is under way': (state, event, given) =>
      transition({ ...state, pulling: new Map() }, event, given),
    'a poll that is not planned when a stream ends': (state, event, given) => {
      const taken = transition(state, event, given)
      if (event.type !== 'stream-ended') return taken
      return {
        state: { ...taken.state, planned: new Set() },
        effects: taken.effects.filter(({ type }) => type !== 'plan'),
      }
    },
  }
  it.each(Object.entries(bugs))('notices %s', (_, change) => {
    expect(findIn(change)).toBeDefined()
  })
})
