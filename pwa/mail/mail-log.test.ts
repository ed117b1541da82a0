import { describe, expect, it } from 'vitest'
import type { MailLog } from '#shared/mail/mail-calls.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { Refused, Unreachable } from '../sync/http/call.ts'
import { serverNowMs } from '../sync/http/server-time.ts'
import { knownLog, nextPollMs, whileShown, newsOf } from './mail-log.ts'

const start = Date.parse('2026-11-21T10:00:00Z')
const at = (ms: number) => new Date(start + ms).toISOString()
const waiting = (state: MailState, inMs: number) => ({ state, sendAt: at(inMs) })

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
] as const)('when to ask again: %s', (_, mails, tries, expected) => {
  expect(nextPollMs(mails, start, tries)).toBe(expected)
})

describe('what is known of the mail log', () => {
  const told = (mails: MailLog['mails']): MailLog => ({
    mails,
    counts: { held: 0, queued: 0, sending: 0, sent: 0, failed: 0, cancelled: 0 },
    delivery: 'smtp',
    at: new Date(serverNowMs() + 5_000).toISOString(),
  })

  it('says how far the server’s clock is ahead, by which it is asked again', async () => {
    const log = await knownLog(Promise.resolve(told([])))
    expect(Math.round(log.aheadMs / 1000)).toBe(5)
    const held = waiting('held', 40_000) as MailLog['mails'][number]
    expect(whileShown.againMs?.({ ...log, mails: [held], at: at(0) }, 0)).toBe(41_200)
  })

  it('is that a new event has sent nothing yet; any other failure is one', async () => {
    const failing = async (failure: Error) => await Promise.reject<MailLog>(failure)
    const missing = { code: 'not_found', message: 'Event not found', requestId: 'r' } as const
    expect(await knownLog(failing(new Refused(404, missing, null)))).toMatchObject({ mails: [] })
    await expect(knownLog(failing(new Unreachable()))).rejects.toBeInstanceOf(Unreachable)
    await expect(knownLog(failing(new Refused(403, missing, null)))).rejects.toBeInstanceOf(Refused)
  })
})

const application = (id: number, eventId: number, version: number) => ({ id, eventId, version }) as never
const event = (id: number, version: number) => ({ id, version }) as never

it('what may have caused mails is the newest version of an event and its applications alone', () => {
  const events = [event(1, 5), event(2, 50)]
  const before = [application(7, 1, 3), application(8, 2, 90)]
  expect(newsOf({ events, applications: before }, 1)).toBe(5)
  expect(newsOf({ events, applications: [application(7, 1, 6), ...before] }, 1)).toBe(6)
  expect(newsOf({ events, applications: before }, 3)).toBe(0)
})
