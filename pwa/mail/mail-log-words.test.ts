import { describe, expect, it } from 'vitest'
import type { EventMail } from '#shared/mail/mail-calls.ts'
import { mailKinds } from '#shared/mail/mail.ts'
import { deliveryLine, isWaiting, leavesIn, mailLine, mailTitle } from './mail-log-words.ts'

const now = new Date('2026-11-21T10:45:00')
const sendAt = '2026-11-21T10:45:30'
const mail = (changes: Partial<EventMail> = {}): EventMail => ({
  id: 1,
  applicationId: 7,
  kind: 'decision',
  decision: 'approved',
  recipient: 'Bea Moss',
  subject: null,
  state: 'held',
  sendAt,
  sentAt: null,
  reason: null,
  createdAt: sendAt,
  ...changes,
})

describe('a mail in words', () => {
  it('has a name for every kind, and three for decisions', () => {
    const names = mailKinds.map((kind) => mailTitle({ kind, decision: kind === 'decision' ? 'approved' : null }))
    expect(new Set(names).size).toBe(mailKinds.length)
    expect([mailTitle(mail({ decision: 'rejected' })), mailTitle(mail({ decision: 'revoked' }))]).toEqual([
      'Rejection',
      'Approval withdrawn',
    ])
  })

  it.each([
    [60_000, 'Leaves in 60 s'],
    [41_200, 'Leaves in 42 s'],
    [1, 'Leaves in 1 s'],
    [0, 'Leaving now'],
    [-5_000, 'Leaving now'],
    [99_999, 'Leaves in 100 s'],
    [100_000, 'Leaves in 2 min'],
    [300_000, 'Leaves in 5 min'],
  ])('%d ms before it leaves it says %s', (leftMs, words) => {
    expect(leavesIn(leftMs, sendAt, now)).toBe(words)
  })

  it('that leaves another day says which', () => {
    expect(leavesIn(86_400_000, '2026-11-22T18:30:00', now)).toBe('Leaves Nov 22, 2026, 6:30 PM')
  })

  it.each([
    [{ state: 'sent', sentAt: '2026-11-21T10:42:00' }, 'Sent 10:42 AM'],
    [{ state: 'sending' }, 'On its way'],
    [{ state: 'failed', reason: 'The mailbox is full.' }, 'Failed. The mailbox is full.'],
    [{ state: 'failed' }, 'Failed. It could not be sent.'],
    [{ state: 'cancelled' }, 'Cancelled: the decision changed before it was sent, or was known already.'],
    [
      { state: 'cancelled', kind: 'event-cancelled' },
      'Cancelled: there was nothing new to say when it was to be sent.',
    ],
  ] as const)('%o reads: %s', (changes, words) => {
    expect(mailLine(mail(changes), 'smtp', now)).toBe(words)
  })

  it('that was tried counts to the next try, and one without a mail server to nothing', () => {
    expect(leavesIn(32_000, sendAt, now, true)).toBe('Next try in 32 s')
    expect(leavesIn(0, sendAt, now, true)).toBe('Trying again now')
    expect([isWaiting(mail(), 'smtp'), isWaiting(mail({ state: 'queued' }), 'demo')]).toEqual([true, true])
    expect(isWaiting(mail(), 'none')).toBe(false)
    expect(mailLine(mail(), 'none', now)).toBe('Waits for a mail server')
  })

  it('of a demo is written, never sent', () => {
    const sent = mail({ state: 'sent', sentAt: '2026-11-21T10:42:00' })
    expect(mailLine(sent, 'demo', now)).toBe('Written 10:42 AM, not delivered')
    expect(deliveryLine('demo')).toMatch(/^This demo delivers no email\./)
    expect(deliveryLine('none')).toContain('No mail server')
    expect(deliveryLine('smtp')).toBeNull()
  })
})
