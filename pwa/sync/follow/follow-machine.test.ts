import { scopes, type Scope } from '#shared/sync/collections.ts'
import { describe, expect, it } from 'vitest'
import {
  phaseOf,
  transition,
  unfollowed,
  type Effect,
  type FollowEvent,
  type Phase,
  type Plan,
  type Senses,
} from './follow-machine.ts'

const senses = (more: Partial<Senses> = {}): Senses => ({
  now: 100_000,
  random: () => 0,
  isVisible: () => true,
  ...more,
})
const pulled = (head = 5, of: readonly Scope[] = scopes): FollowEvent => ({
  type: 'pulled',
  end: {
    kind: 'pulled',
    heads: Object.fromEntries(of.map((scope) => [scope, head])),
  },
})
const failed: FollowEvent = { type: 'pulled', end: { kind: 'unreachable' } }
const refused: FollowEvent = { type: 'pulled', end: { kind: 'signed-out', isRevoked: false } }
const begin: FollowEvent = { type: 'begin' }
const hint: FollowEvent = { type: 'hint' }
const live: FollowEvent = { type: 'live' }
const taken: FollowEvent = { type: 'taken' }
const due = (plan: Plan): FollowEvent => ({ type: 'due', plan })
const ended = (livedMs = 0): FollowEvent => ({
  type: 'stream-ended',
  end: { livedMs, comeBackMs: undefined, refusal: undefined },
})
const outdated: FollowEvent = {
  type: 'stream-ended',
  end: { livedMs: 0, comeBackMs: undefined, refusal: 'update-app' },
}
const poke = (version: number): FollowEvent => ({ type: 'poke', poke: { scope: 'org', version } })

const after = (events: readonly FollowEvent[]) =>
  events.reduce((state, event) => transition(state, event, senses()).state, unfollowed({}))
const roads: Record<Phase, readonly FollowEvent[]> = {
  pulling: [begin, pulled(), live, ended(60_000)],
  live: [begin, pulled(), live],
  offline: [begin, failed, ended()],
  suspended: [begin, refused],
}

/** An effect in a word or two. */
function wordOf(effect: Effect): string {
  if ('plan' in effect) return `${effect.type} ${effect.plan}${'waitMs' in effect ? ` in ${effect.waitMs / 1000}` : ''}`
  if ('scopes' in effect) return [effect.type, ...effect.scopes].join(' ')
  return effect.type
}

describe('following the server', () => {
  it.each<[Phase, string, FollowEvent, Phase, string[]]>([
    ['pulling', 'a plan to poll that is due', due('poll'), 'pulling', ['pull org account']],
    ['pulling', 'a plan for the stream that is due', due('stream'), 'pulling', ['open-stream']],
    ['pulling', 'a stream that speaks', live, 'live', ['cancel poll', 'cancel stream']],
    ['pulling', 'a hint', hint, 'pulling', ['cancel poll', 'pull org account', 'cancel stream', 'open-stream']],
    ['live', 'a poke', poke(6), 'live', ['pull org']],
    ['live', 'a word that nothing is new', poke(5), 'live', ['confirmed']],
    ['live', 'a word that the server went back', poke(4), 'live', ['plan pull in 0']],
    ['live', 'changes that the server took', taken, 'live', ['pull org']],
    ['live', 'a server that asks for a resync', { type: 'resync' }, 'live', ['plan pull in 0']],
    ['live', 'a stream that breaks', ended(60_000), 'pulling', ['plan stream in 0.3', 'plan poll in 5']],
    ['pulling', 'a stream that does not open again', ended(), 'pulling', ['cancel poll', 'pull org']],
    ['live', 'a refusal of the stream', outdated, 'suspended', ['close-stream']],
    ['offline', 'a retry that is due', due('pull'), 'offline', ['pull org account']],
    ['offline', 'a hint', hint, 'pulling', ['cancel pull', 'pull org account', 'cancel stream', 'open-stream']],
    ['offline', 'a stream that speaks', live, 'live', ['cancel stream']],
    ['suspended', 'a hint', hint, 'suspended', []],
    ['suspended', 'a poke', poke(6), 'suspended', []],
    ['suspended', 'a person who asks', begin, 'pulling', ['pull org account', 'open-stream']],
  ])('%s: %s', (phase, _, event, next, words) => {
    const state = after(roads[phase])
    expect(phaseOf(state)).toBe(phase)
    const { state: came, effects } = transition(state, event, senses({ now: 200_000 }))
    expect([phaseOf(came), effects.map(wordOf)]).toEqual([next, words])
  })

  const words = (events: readonly FollowEvent[], event: FollowEvent) =>
    transition(after(events), event, senses()).effects.map(wordOf)

  it('opens the stream again as soon as a pull succeeds', () => {
    expect(words([...roads.offline, due('pull')], pulled())).toEqual([
      'plan stream in 0',
      'arrived org account',
      'plan poll in 5',
    ])
  })

  it('pulls everything that was missed with the next news', () => {
    expect(words([...roads.live, { type: 'resync' }], poke(6))).toEqual(['cancel pull', 'pull org account'])
  })

  it('pulls once for all pokes that come during a pull', () => {
    const during = [...roads.live, poke(6), poke(7), poke(8)]
    expect(words(during, pulled(6, ['org']))).toEqual(['arrived org', 'pull org'])
  })

  it('asks nothing more where the pull has brought what was poked meanwhile', () => {
    const during = [...roads.live, poke(6), poke(7)]
    expect(words(during, pulled(7, ['org']))).toEqual(['arrived org'])
  })

  it('pulls nothing beside a pull that is under way, and takes no poke for a pull', () => {
    const during = [...roads.live, poke(6)]
    expect(words(during, taken)).toEqual([])
    expect(after(during).heads.org).toBe(5)
  })

  it('leaves nothing planned where it waits for a person', () => {
    expect(words(roads.pulling, outdated)).toEqual(['close-stream', 'cancel poll', 'cancel stream'])
  })

  it('takes an answer that is older than what was poked before it for none', () => {
    expect(words([...roads.live, poke(6)], pulled(5, ['org']))).toEqual(['failed org', 'plan pull in 5'])
  })
})
