import { describe, expect, it } from 'vitest'
import { eventDocument } from '../../sync/testing/people.ts'
import {
  compareCopy,
  isReadyTime,
  lineOf,
  staleReason,
  verdictOf,
  type LineName,
  type ReadyFacts,
  type ReadyResult,
} from './ready-lines.ts'

const roomy = { isPersistent: true, freeBytes: 1e9, clearsAfterWeek: false }
const good: ReadyFacts = {
  copy: { is: 'equal', applications: 12 },
  storage: roomy,
  clock: { aheadMs: -900 },
  alert: { is: 'arrived', afterSeconds: 1 },
  queue: { waiting: 0, attention: 0 },
  app: { is: 'newest' },
  shell: { isControlled: true, missing: 0 },
  rehearsal: { is: 'done' },
}

function textOf<N extends LineName>(name: N, fact: ReadyFacts[N]): string {
  const { tone, text, repair = 'none' } = lineOf(name, { [name]: fact })!
  return `${tone} (${repair}): ${text}`
}

describe('the lines of the check', () => {
  it('are all green on a device that is ready', () => {
    expect(verdictOf(good)).toEqual({ tone: 'green', lines: 8, isPartial: false })
    expect(textOf('copy', good.copy)).toBe('green (none): The same as on the server, with 12 applications.')
    expect(textOf('alert', good.alert)).toBe('green (none): A test alert arrived after 1 second.')
  })

  it('say nothing of what was not looked at', () => {
    expect(lineOf('clock', {})).toBeUndefined()
  })

  it.each([
    ['copy', { is: 'not-here' }, 'red (sync): It is not completely'],
    ['copy', { is: 'no-network' }, 'amber (none): No network: '],
    ['copy', { is: 'unknown' }, 'amber (none): The server did not answer as expected'],
    ['storage', { ...roomy, isPersistent: false }, 'amber (keep-storage): The browser may'],
    ['storage', { ...roomy, isPersistent: null }, 'amber (none): This browser does not say'],
    ['storage', { ...roomy, isPersistent: false, clearsAfterWeek: true }, 'amber (show-install-steps): '],
    ['storage', { ...roomy, freeBytes: 4_000_000 }, 'red (none): This device is full'],
    ['storage', { ...roomy, freeBytes: 4e7 }, 'amber (none): There is little room'],
    ['clock', { aheadMs: 31_000 }, 'red (none): It is 31 seconds fast. Turn on automatic'],
    ['clock', { aheadMs: -5_400_000 }, 'red (none): It is 90 minutes slow'],
    ['clock', { aheadMs: -400 * 86_400_000 }, 'red (none): It is 400 days slow'],
    ['clock', { aheadMs: null }, 'amber (none): No network: '],
    ['alert', { is: 'off' }, 'amber (turn-on-alerts): Alerts are off'],
    ['alert', { is: 'denied' }, 'amber (none): Alerts are blocked'],
    ['alert', { is: 'unsupported' }, 'amber (none): This browser cannot'],
    ['alert', { is: 'needs-install' }, 'amber (show-install-steps): An iPhone'],
    ['alert', { is: 'late' }, 'red (none): The test alert has not arrived'],
    ['alert', { is: 'no-network' }, 'amber (none): No network: '],
    ['queue', { waiting: 3, attention: 0 }, 'amber (open-queue): 3 changes wait.'],
    ['queue', { waiting: 0, attention: 1 }, 'red (open-queue): 1 change needs your attention.'],
    ['app', { is: 'update-waiting' }, 'amber (update-app): A newer version is ready'],
    ['app', { is: 'loading' }, 'amber (none): A newer version is being loaded'],
    ['app', { is: 'too-old' }, 'red (reload): The server needs'],
    ['app', { is: 'no-network' }, 'amber (none): No network: '],
    ['shell', { isControlled: false, missing: 0 }, 'red (reload): Beaconry is not kept'],
    ['shell', { isControlled: true, missing: 2 }, 'red (fetch-files): 2 files of the app are missing'],
    ['rehearsal', { is: 'no-worker' }, 'red (reload): It could not be played'],
    ['rehearsal', { is: 'not-opened' }, 'red (reload): With its network cut'],
    ['rehearsal', { is: 'not-saved' }, 'red (none): An approval was not saved'],
    ['rehearsal', { is: 'not-taken-back' }, 'red (reload): The rehearsed approval'],
  ] as const)('say of %s %j what is wrong and how to repair it', (name, fact, text) => {
    expect(textOf(name, fact as never)).toContain(text)
  })

  it('that are red make the device not ready, and those of the worst tone are counted', () => {
    const amber = { ...good, alert: { is: 'off' }, app: { is: 'no-network' } } as const
    expect(verdictOf(amber)).toMatchObject({ tone: 'amber', lines: 2 })
    expect(verdictOf({ ...amber, clock: { aheadMs: 60_000 } })).toMatchObject({ tone: 'red', lines: 1 })
  })
})

describe('comparing a device’s copy with the server', () => {
  const counts = { pending: 2, approved: 1, rejected: 0 }
  const server = { epoch: 'a', version: 40, eventVersion: 12, applications: counts }
  const device = { epoch: 'a', appliedVersion: 40, eventVersion: 12, applications: counts }
  const whyOf = (changes: object) => compareCopy(server, { ...device, ...changes })

  it('finds equal counts and versions equal, and a device that is ahead of the answer', () => {
    expect(whyOf({})).toEqual({ is: 'equal', applications: 3 })
    expect(whyOf({ appliedVersion: 41 })).toEqual({ is: 'equal', applications: 3 })
  })

  it.each([
    [{ eventVersion: undefined }, { is: 'not-here' }],
    [{ applications: { ...counts, pending: 1 } }, { why: 'The server has 3 applications, this device has 2.' }],
    [
      { applications: { ...counts, pending: 1, approved: 2 } },
      { why: 'Decisions on the server are not on this device yet.' },
    ],
    [{ eventVersion: 11 }, { why: 'The event has changed on the server.' }],
    [{ epoch: 'b' }, { why: 'The event has changed on the server.' }],
    [{ appliedVersion: 39 }, { why: 'The server has changes that are not on this device yet.' }],
  ])('names the difference: %j', (changes, fact) => {
    expect(whyOf(changes)).toMatchObject(fact)
  })
})

describe('a kept result', () => {
  const result: ReadyResult = { facts: good, checkedAt: '2026-11-28T18:12:00Z', appVersion: '1.0', eventVersion: 12 }
  const present = { now: new Date('2026-11-29T06:11:00Z'), appVersion: '1.0', eventVersion: 12, queued: 0 }

  it('counts for twelve hours', () => {
    expect(staleReason(result, present)).toBeNull()
    expect(staleReason(result, { ...present, now: new Date('2026-11-29T06:13:00Z') })).toContain('12 hours')
  })

  it.each([
    [{ appVersion: '1.1' }, 'updated'],
    [{ eventVersion: 13 }, 'event was changed'],
    [{ queued: 3 }, '3 changes wait'],
  ])('goes stale when something changed: %j', (changes, reason) => {
    expect(staleReason(result, { ...present, ...changes })).toContain(reason)
  })
})

describe('the time of the check', () => {
  /** In San Francisco. */
  const event = eventDocument(1, {
    startDate: '2026-12-05',
    endDate: '2026-12-05',
    startTime: '18:00',
    endTime: '21:00',
  })
  const isTime = (clock: string, changes: object = {}) =>
    isReadyTime({ ...event, ...changes }, new Date(`${clock}-08:00`))

  it('begins two days before the event by the calendar of its place and ends with it', () => {
    expect(isTime('2026-12-02T23:59:00')).toBe(false)
    expect(isTime('2026-12-03T00:01:00')).toBe(true)
    expect(isTime('2026-12-05T20:59:00')).toBe(true)
    expect(isTime('2026-12-05T21:00:00')).toBe(false)
  })

  it('does not come for an event that was cancelled or taken down', () => {
    expect(isTime('2026-12-04T12:00:00', { cancelledAt: '2026-12-01T00:00:00Z' })).toBe(false)
    expect(isTime('2026-12-04T12:00:00', { takenDown: { at: '', reason: '' } })).toBe(false)
  })
})
