import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MailLog } from '#shared/mail/mail-calls.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { Refused, Unreachable } from '../sync/http/call.ts'
import { createQuestion, type AnswerState, type Question } from '../sync/http/question.ts'
import { knownLog, nextPollMs, whileShown, newsOf, type KnownLog } from './mail-log.ts'

vi.mock(import('../sync/http/server-time.ts'), async (original) => ({
  ...(await original()),
  serverNowMs: () => Date.now(),
}))

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
    expect(nextPollMs(mails, start, tries)).toBe(expected)
  })
})

describe('following the mail log', () => {
  let asked: number
  let answers: (() => Promise<MailLog>)[]
  let shown: AnswerState<KnownLog>[]
  let question: Question<KnownLog>
  let changed: () => void
  let stop: () => void

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
    at: new Date(Date.now() + 5_000).toISOString(),
  })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  /** Somebody looks at the log. */
  async function look(): Promise<void> {
    stop = question.follow({
      ...whileShown,
      visible: false,
      news: (told) => {
        changed = told
        return () => undefined
      },
    })
    await pass(0)
  }

  beforeEach(() => {
    vi.useFakeTimers({ now: start })
    asked = 0
    answers = []
    shown = []
    question = createQuestion({
      call: () => {
        asked += 1
        return knownLog(answers.length > 1 ? answers.shift()!() : answers[0]!())
      },
    })
    question.subscribe(() => {
      if (!question.get().isAsking) shown.push(question.get())
    })
  })
  afterEach(() => {
    stop()
    vi.useRealTimers()
  })

  it('asks once where nothing waits, however long one looks', async () => {
    answers = [async () => log([waiting('sent', -60_000)])]
    await look()
    await pass(7_200_000)
    expect(asked).toBe(1)
    expect(shown.at(-1)).toMatchObject({ failure: null, asOf: at(0), answer: { aheadMs: 5_000 } })
  })

  it('asks again when a hold has run out, by the server’s clock, and then until the mail has arrived', async () => {
    answers = [
      async () => log([waiting('held', 45_000)]),
      async () => log([waiting('sending', 45_000)]),
      async () => log([waiting('sent', 45_000)]),
    ]
    await look()
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
    await look()
    await pass(3_600_000)
    expect(asked).toBe(7)
  })

  it('asks once for many changes that arrive together, and again for what came while it asked', async () => {
    answers = [async () => log([])]
    await look()
    for (let change = 0; change < 20; change++) changed()
    await pass(600)
    expect(asked).toBe(2)
    void question.askAnew()
    void question.askAnew()
    await question.askAnew()
    expect(asked).toBe(4)
  })

  it('keeps what it knows when it cannot ask, and says why', async () => {
    answers = [
      async () => log([waiting('sent', -1)]),
      () => Promise.reject(new Unreachable()),
      () => Promise.reject(new Error('odd')),
      () => Promise.reject(new Refused(404, { code: 'not_found', message: 'Event not found', requestId: 'r' }, null)),
    ]
    const views: unknown[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      await (attempt === 0 ? look() : question.ask())
      const { answer, failure } = shown.at(-1)!
      views.push([answer?.mails.length, failure?.kind ?? null])
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
    const looking = look()
    changed()
    stop()
    await looking
    await pass(60_000)
    expect([asked, shown.filter(({ answer }) => answer !== null)]).toEqual([1, []])
  })
})

describe('what may have caused mails', () => {
  const application = (id: number, eventId: number, version: number) => ({ id, eventId, version }) as never
  const event = (id: number, version: number) => ({ id, version }) as never

  it('is the newest version among an event and its applications, and nobody else’s', () => {
    const events = [event(1, 5), event(2, 50)]
    const before = [application(7, 1, 3), application(8, 2, 90)]
    expect(newsOf({ events, applications: before }, 1)).toBe(5)
    expect(newsOf({ events, applications: [application(7, 1, 6), ...before] }, 1)).toBe(6)
    expect(newsOf({ events, applications: before }, 3)).toBe(0)
  })
})
