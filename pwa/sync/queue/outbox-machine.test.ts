import { describe, expect, it } from 'vitest'
import { entryStates, syncStateOf, type Entry, type EntryState } from './entry.ts'
import { mutations } from './mutations/mutations.ts'
import { backoffMs, isDue, longestHoldMs, neverLeft, relane, step, type EntryEvent } from './outbox-machine.ts'
import { problem } from '../testing/model-server.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import type { Verdict } from '../drain/verdict.ts'

const now = 1_800_000_000_000

function entry(state: EntryState, changes: Partial<Entry> = {}): Entry {
  const attempts = ['held', 'queued', 'blocked'].includes(state) ? 0 : 1
  const extra =
    state === 'acknowledged'
      ? { acknowledged: { version: 5, body: {} } }
      : state === 'parked'
        ? { refusal: { status: 409, problem: problem('conflict'), at: '2026-11-20T10:00:00.000Z' } }
        : {}
  return { ...queuedEntry('k', { state, attempts, ...extra, ...changes }), seq: changes.seq ?? 1 }
}

const verdict = (made: Verdict): EntryEvent => ({ type: 'verdict', verdict: made, now, random: 0.5 })
const parked: Verdict = { kind: 'parked', status: 404, problem: problem('not_found') }
const acknowledged: Verdict = { kind: 'acknowledged', version: 9, body: { id: 7 } }
const stateAfter = (before: Entry, event: EntryEvent) => {
  const next = step(before, event)
  return next === 'gone' ? 'gone' : next.state
}

/** For every event: the state after it, by the state before. A state that is not named stays as it is. */
const table: [string, EntryEvent, Partial<Record<EntryState, EntryState | 'gone'>>][] = [
  ['the undo window ends', { type: 'hold-over' }, { held: 'queued' }],
  ['it is put into a request', { type: 'claimed' }, { queued: 'sending' }],
  ['its drainer died', { type: 'left-behind' }, { sending: 'queued' }],
  ['the server left it untouched', { type: 'untouched' }, { sending: 'queued' }],
  [
    'the server took it',
    verdict(acknowledged),
    { queued: 'acknowledged', sending: 'acknowledged', needsAuth: 'acknowledged', blocked: 'acknowledged' },
  ],
  [
    'the server refused it',
    verdict(parked),
    { queued: 'parked', sending: 'parked', needsAuth: 'parked', blocked: 'parked' },
  ],
  ['the session had ended', verdict({ kind: 'needsAuth' }), { sending: 'needsAuth' }],
  ['the server was not well', verdict({ kind: 'retry' }), { sending: 'queued' }],
  ['nobody of ours answered', verdict({ kind: 'unreachable' }), { sending: 'queued' }],
  ['the app is too old', verdict({ kind: 'update-app' }), { sending: 'queued' }],
  ['its person signed in', { type: 'signed-in' }, { needsAuth: 'queued' }],
  ['a person tries again', { type: 'retried', key: 'k2', args: {}, argsVersion: 1 }, { parked: 'queued' }],
  ['another phone was shown it', { type: 'passed-on' }, {}],
  ['its lane stops', { type: 'blocked' }, { held: 'blocked', queued: 'blocked' }],
  ['its lane is free', { type: 'unblocked' }, { blocked: 'queued' }],
  ['it is given up', { type: 'discard-asked' }, { held: 'gone', queued: 'gone', blocked: 'gone', parked: 'gone' }],
  ['the server was restored', { type: 'forgotten' }, { acknowledged: 'queued' }],
]

describe('what becomes of an entry when', () => {
  for (const [title, event, moves] of table) {
    it.each(entryStates)(`${title}: %s`, (state) => {
      expect(stateAfter(entry(state), event)).toBe(moves[state] ?? state)
    })
  }
})

describe('an entry', () => {
  it('keeps its key on its own attempts and gets a new one when a person tries again', () => {
    const claimed = step(entry('queued'), { type: 'claimed' }) as Entry
    const back = step(claimed, verdict({ kind: 'unreachable' })) as Entry
    expect(back).toMatchObject({ key: 'k', attempts: 1, nextAt: now + 1000 })
    const again = step(entry('parked'), { type: 'retried', key: 'k2', args: { a: 2 }, argsVersion: 1 }) as Entry
    expect(again).toMatchObject({ key: 'k2', attempts: 0, args: { a: 2 } })
    expect(again).not.toHaveProperty('refusal')
  })

  it('waits as long as the server asked, whatever else happens', () => {
    const waiting = step(entry('sending'), verdict({ kind: 'retry', afterSeconds: 20 })) as Entry
    expect(waiting).toMatchObject({ nextAt: now + 20_000, serverAsked: true })
    expect(step(waiting, { type: 'triggered' })).toBe(waiting)
    const failed = step(entry('sending'), verdict({ kind: 'retry' })) as Entry
    expect(step(failed, { type: 'triggered' })).toMatchObject({ nextAt: 0 })
  })

  it('that may have left is not simply forgotten: it is forbidden, or had happened', () => {
    const asked = step(entry('queued', { attempts: 2 }), { type: 'discard-asked' }) as Entry
    expect(asked).toMatchObject({ state: 'queued', discarding: true })
    expect(step(asked, { type: 'claimed' })).toBe(asked)
    expect(step(asked, { type: 'cancelled' })).toBe('gone')
    expect(step(asked, { type: 'already-happened' })).not.toHaveProperty('discarding')
    expect(step(asked, verdict(parked))).toBe('gone')
    expect(step(asked, verdict(acknowledged))).toMatchObject({ state: 'acknowledged' })
    expect(step(asked, { type: 'cancel-failed', now, random: 0.5 })).toMatchObject({
      discarding: true,
      nextAt: now + 2000,
      attempts: 3,
    })
  })

  it('that was taken before a restore is forbidden also after a refusal, which no server keeps', () => {
    const asked = step(entry('parked', { attempts: 3, again: 'taken' }), { type: 'discard-asked' }) as Entry
    expect(asked).toMatchObject({ state: 'queued', discarding: true })
    expect(asked).not.toHaveProperty('refusal')
    expect(step(asked, verdict(parked)), 'the word of a request from before').toMatchObject({ discarding: true })
    expect(step(asked, { type: 'cancelled' })).toBe('gone')
  })

  it('gets another key only after a refusal', () => {
    const retried = { type: 'retried', key: 'k2', args: { a: 2 }, argsVersion: 1 } as const
    for (const state of entryStates) {
      const key = state === 'parked' ? 'k2' : 'k'
      expect(step(entry(state, { attempts: 1 }), retried)).toMatchObject({ key })
    }
  })

  it('has never left only while it was in no request', () => {
    expect(entryStates.filter((state) => neverLeft(entry(state)))).toEqual(['held', 'queued', 'blocked'])
    expect(neverLeft(entry('queued', { attempts: 1 }))).toBe(false)
    const stopped = entry('parked', { attempts: 3 })
    const again = step(stopped, { type: 'retried', key: stopped.key, args: {}, argsVersion: 1 }) as Entry
    expect([again.state, neverLeft(again)], 'under the key of a request that may be on its way').toEqual([
      'queued',
      false,
    ])
  })

  it('that another phone was shown is not corrected, and is forbidden when it is given up', () => {
    const shown = step(entry('queued'), { type: 'passed-on' }) as Entry
    expect([shown.state, neverLeft(shown)]).toEqual(['queued', false])
    expect(step(shown, { type: 'edited', args: { a: 2 }, argsVersion: 1 })).toBe(shown)
    expect(step(shown, { type: 'discard-asked' })).toMatchObject({ discarding: true })
    const sending = entry('sending', { attempts: 3 })
    expect(step(sending, { type: 'passed-on' })).toBe(sending)
  })

  it('is shown as sent only when the server has it', () => {
    expect(entryStates.map((state) => syncStateOf({ state }))).toEqual([
      'on-this-phone',
      'on-this-phone',
      'on-this-phone',
      'sent',
      'on-this-phone',
      'needs-attention',
      'needs-attention',
    ])
  })
})

describe('waiting', () => {
  it('doubles from a second to five minutes, spread by chance', () => {
    expect([1, 2, 3, 9, 50].map((attempts) => backoffMs(attempts, 0.5))).toEqual([1000, 2000, 4000, 256_000, 300_000])
    expect([backoffMs(3, 0), backoffMs(3, 0.999)]).toEqual([2000, 5996])
    expect(backoffMs(0, 0)).toBe(1000)
  })

  it('is over too when the clock was set back by more than anyone ever waits', () => {
    const due = (changes: Partial<Entry>) => (nextAt: number) => isDue(entry('queued', { ...changes, nextAt }), now)
    const askedByTheServer = due({ serverAsked: true, attempts: 1 })
    expect([now, now + 1, now + 300_000, now + 300_001].map(askedByTheServer)).toEqual([true, false, false, true])
    expect([now, now + 8000, now + 30_001].map(due({ state: 'held' }))).toEqual([true, false, true])
    // After a few attempts nobody waits for minutes: neither does a change whose phone was set back by less than the longest wait.
    expect([now + 1500, now + 1501].map(due({ attempts: 1 }))).toEqual([false, true])
    expect([now + 12_000, now + 12_001].map(due({ attempts: 4 }))).toEqual([false, true])
    expect([now + 300_000, now + 300_001].map(due({ attempts: 20 }))).toEqual([false, true])
    for (const { holdMs } of mutations.values()) expect(holdMs).toBeLessThan(longestHoldMs)
  })
})

it('a lane stops behind a refused entry until that is gone; other lanes and accounts go on', () => {
  const lane = [
    entry('acknowledged', { seq: 1 }),
    entry('parked', { seq: 2 }),
    entry('held', { seq: 3 }),
    entry('queued', { seq: 4 }),
    entry('sending', { seq: 5 }),
    entry('queued', { seq: 6, lane: 'application:8' }),
    entry('queued', { seq: 7, userId: null }),
  ]
  const stopped = relane(lane)
  expect(stopped.map(({ seq, state }) => [seq, state])).toEqual([
    [3, 'blocked'],
    [4, 'blocked'],
  ])
  expect(relane(stopped).map(({ seq, state }) => [seq, state])).toEqual([
    [3, 'queued'],
    [4, 'queued'],
  ])
})
