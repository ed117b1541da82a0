import { beforeEach, describe, expect, it } from 'vitest'
import type { MailLog } from '#shared/mail/mail-calls.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { Refused, Unreachable } from '../api/call.ts'
import { followMailLog, nextLookMs, type MailLogFollower, type MailLogView } from './mail-log-follower.ts'

const start = Date.parse('2026-11-21T10:00:00Z')
const at = (ms: number) => new Date(start + ms).toISOString()
const waiting = (state: MailState, inMs: number) => ({ state, sendAt: at(inMs) })

describe('when to ask again', () => {
  it.each([
    ['nothing waits', [waiting('sent', -5000), waiting('failed', -5000), waiting('cancelled', 60_000)], 0, null],
    ['one is held', [waiting('held', 42_000)], 0, 43_200],
    ['two are held, the earlier counts', [waiting('held', 42_000), waiting('held', 7_000)], 0, 8_200],
    ['one will be tried again', [waiting('queued', 30_000)], 0, 31_200],
    ['one is on its way', [waiting('sending', 60_000)], 0, 1_000],
    ['it is still on its way', [waiting('sending', -1)], 3, 8_000],
    ['it does not arrive', [waiting('sending', -1)], 6, null],
    ['it does not arrive, but another is held', [waiting('held', 5_000), waiting('queued', -1)], 6, 6_200],
    ['one leaves tomorrow', [waiting('held', 86_400_000)], 0, null],
  ] as const)('%s', (_, mails, tries, expected) => {
    expect(nextLookMs(mails, start, tries)).toBe(expected)
  })
})

describe('following the mail log', () => {
  let clock: number
  let timers: { at: number; callback: () => void }[]
  let asked: number
  let answers: (() => Promise<MailLog>)[]
  let shown: MailLogView[]
  let follower: MailLogFollower

  const log = (mails: readonly { state: MailState; sendAt: string }[]): MailLog => ({
    mails: mails.map((mail, place) => ({
      id: 10 - place,
      applicationId: 7,
      kind: 'decision',
      decision: 'approved',
      recipient: 'Bea Moss',
      subject: null,
      sentAt: null,
      reason: null,
      createdAt: at(0),
      ...mail,
    })),
    counts: { held: 0, queued: 0, sending: 0, sent: 0, failed: 0, cancelled: 0 },
    delivery: 'smtp',
    at: new Date(clock + 5_000).toISOString(),
  })
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  async function pass(ms: number): Promise<void> {
    const until = clock + ms
    for (;;) {
      const due = timers.filter((timer) => timer.at <= until).sort((one, other) => one.at - other.at)[0]
      if (!due) break
      clock = due.at
      timers = timers.filter((timer) => timer !== due)
      due.callback()
      await settle()
    }
    clock = until
  }

  beforeEach(() => {
    clock = start
    timers = []
    asked = 0
    answers = []
    shown = []
    follower = followMailLog(
      {
        ask: () => {
          asked += 1
          return answers.length > 1 ? answers.shift()!() : answers[0]!()
        },
        now: () => clock,
        after: (milliseconds, callback) => {
          const timer = { at: clock + milliseconds, callback }
          timers.push(timer)
          return () => (timers = timers.filter((other) => other !== timer))
        },
        show: (view) => shown.push(view),
      },
      null,
    )
  })

  it('asks once where nothing waits, however long one looks', async () => {
    answers = [async () => log([waiting('sent', -60_000)])]
    follower.look()
    await settle()
    await pass(7_200_000)
    expect(asked).toBe(1)
    expect(shown.at(-1)).toMatchObject({ failure: null, known: { aheadMs: 5_000, asOf: at(0) } })
  })

  it('asks again when a hold has run out, by the server’s clock, and then until the mail has arrived', async () => {
    answers = [
      async () => log([waiting('held', 45_000)]),
      async () => log([waiting('sending', 45_000)]),
      async () => log([waiting('sent', 45_000)]),
    ]
    follower.look()
    await settle()
    await pass(41_000)
    expect(asked).toBe(1)
    await pass(300)
    expect(asked).toBe(2)
    await pass(2_100)
    expect(asked).toBe(3)
    await pass(3_600_000)
    expect(asked).toBe(3)
  })

  it('gives up asking for one that stays on its way', async () => {
    answers = [async () => log([waiting('sending', -1)])]
    follower.look()
    await settle()
    await pass(3_600_000)
    expect(asked).toBe(7)
  })

  it('asks once for many changes that arrive together, and again for what came while it asked', async () => {
    answers = [async () => log([])]
    for (let change = 0; change < 20; change++) follower.changed()
    await pass(600)
    expect(asked).toBe(1)
    follower.look()
    follower.look()
    follower.look()
    await settle()
    expect(asked).toBe(3)
  })

  it('keeps what it knows when it cannot ask, and says why', async () => {
    answers = [
      async () => log([waiting('sent', -1)]),
      () => Promise.reject(new Unreachable()),
      () => Promise.reject(new Error('odd')),
      () => Promise.reject(new Refused(404, { code: 'not_found', message: 'Event not found', requestId: 'r' }, null)),
    ]
    const views: unknown[] = []
    for (let look = 0; look < 4; look++) {
      follower.look()
      await settle()
      const { known, failure } = shown.at(-1)!
      views.push([known?.mails.length, failure])
    }
    expect(views, 'an event the server does not have yet has sent nothing').toEqual([
      [1, null],
      [1, 'unreachable'],
      [1, 'failed'],
      [0, null],
    ])
  })

  it('shows and asks nothing any more once it has ended', async () => {
    answers = [async () => log([waiting('held', 10_000)])]
    follower.look()
    follower.changed()
    follower.end()
    await settle()
    await pass(60_000)
    expect([asked, shown]).toEqual([1, []])
  })
})
