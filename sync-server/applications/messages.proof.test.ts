import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { newId } from '#shared/record/new-id.ts'
import { newKeyPair } from '../db/key-pair.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { addSession, addUser } from '../testing/account-rows.ts'
import { endLeases } from '../testing/jobs/queued-jobs.ts'
import { startMailingServer } from '../testing/mail/mailing-server.ts'
import { readMail, type SmtpStep } from '../testing/mail/smtp-service.ts'
import { sized } from '../testing/proof-size.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { correctedBody, eventBody } from '../testing/route-rig.ts'
import { createClient } from '../testing/test-server.ts'

const mailing = await startMailingServer()
afterAll(() => mailing.close())
const { db } = mailing.database
const people = sized(200, 24)
const steps: readonly SmtpStep[] = sized(
  ['rcpt', 'answer', 'greeting', 'data', 'mail', 'answer', 'rcpt'],
  ['rcpt', 'answer'],
)

const userId = await addUser(db, 'olivia')
await db('users').where({ id: userId }).update({ emailVerifiedAt: new Date() })
const eventId = newId()
await db('events').insert({
  ...eventBody(),
  ...newKeyPair(),
  id: eventId,
  organizerId: userId,
  timeZone: 'America/Chicago',
} as Partial<EventRow>)
const ids = Array.from({ length: people }, () => newId())
await db('applications').insert(
  ids.map((id, place) => ({
    ...correctedBody({ email: `bea.${place}@example.com` }),
    id,
    eventId,
    status: 'approved',
    termsAcceptedAt: new Date(),
    termsVersion: '1',
    statusTokenHash: String(id),
  })) as Partial<ApplicationRow>[],
)

/** One of the organizer's phones. */
async function phone() {
  const client = createClient(mailing.server.origin, { publicOrigin: mailing.server.origin }, db)
  client.cookies.set('sid', await addSession(db, userId))
  return client
}
const [first, second] = [await phone(), await phone()]
const send = async (by: typeof first, text: string, { id = newId(), key = randomUUID() } = {}) => {
  const body = { id, audience: 'approved', applicationIds: ids, text }
  const answer = await by.call('sendMessage', { params: { id: eventId }, body, key })
  expect(answer.status, answer.text).toBe(201)
  return id
}
const mailsOf = (id: number) => db('mails').where('key', 'like', `message:${id}:%`)
/** How often each address got a message with these words. */
function arrivals(words: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const mail of mailing.service.received)
    if (readMail(mail).parts.some((part) => part.includes(words)))
      for (const address of mail.to) counts.set(address, (counts.get(address) ?? 0) + 1)
  return counts
}
async function endHold(): Promise<void> {
  const now = db.raw(`now() - interval '1 second'`)
  await db('messages').update({ leavesAt: now })
  await db('mails').where({ state: 'held' }).update({ sendAt: now })
  await db('jobs').where({ state: 'waiting' }).update({ runAt: now })
}

it('two phones write to all at once while the server dies: each gets each message once', async () => {
  const again = { id: newId(), key: randomUUID() }
  const [alpha, beta] = await Promise.all([send(first, 'Doors open at six.', again), send(second, 'Bring a lantern.')])
  await send(first, 'Doors open at six.', again)
  const undone = await send(second, 'Never mind.')
  expect((await second.call('cancelMessage', { params: { id: undone } })).status).toBe(200)
  expect(await db('messages')).toHaveLength(3)

  await mailing.server.kill()
  await endHold()
  for (const step of steps) {
    const { reached, release } = mailing.service.stallAt(step)
    await mailing.server.start()
    await reached
    await mailing.server.kill()
    release()
    await endLeases(db)
  }
  await mailing.server.start()
  const open = async () => (await db('mails').whereNotIn('state', ['sent', 'failed', 'cancelled'])).length
  await expect.poll(open, { timeout: 120_000 }).toBe(0)

  expect([...new Set(await mailsOf(undone).pluck('state'))]).toEqual(['cancelled'])
  expect(arrivals('Never mind.')).toEqual(new Map())
  for (const [id, words] of [
    [alpha, 'Doors open at six.'],
    [beta, 'Bring a lantern.'],
  ] as const) {
    const counts = arrivals(words)
    const mails = await mailsOf(id)
    expect(mails).toHaveLength(people)
    for (const { toAddress, state, lastError } of mails) {
      const got = counts.get(toAddress) ?? 0
      if (state === 'sent') expect(got, toAddress).toBe(1)
      else {
        expect(got, toAddress).toBeLessThanOrEqual(1)
        expect(lastError).toContain('it may have arrived')
      }
    }
  }
}, 120_000)
