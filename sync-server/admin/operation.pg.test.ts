import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { refusedChanges } from '../http/operation.ts'
import { insertJobs } from '../jobs/job-store.ts'
import { queueMails } from '../mail/mail-store.ts'
import { setTestServer } from '../testing/test-server.ts'

const server = await setTestServer()
const ada = await server.addMember('Ada', { isAdmin: true })
const olivia = await server.addMember('Olivia')
beforeEach(async () => {
  await server.db('jobs').del()
  await server.db('mails').del()
})

async function die(key: string, kind = 'send-push', payload: Record<string, unknown> = {}): Promise<number> {
  await server.db.transaction((trx) => insertJobs(trx, [{ kind, key, payload }]))
  const [row] = await server
    .db('jobs')
    .where({ key })
    .update({ state: 'dead', attempts: 8, lastError: 'the push service answered 503' })
    .returning('id')
  return row!.id
}

describe('failed jobs', () => {
  const listed = async () => (await ada.call('listFailedJobs')).body
  const retry = async (id: number) => (await ada.call('retryJob', { params: { id } })).status
  const discard = async (id: number) => (await ada.call('discardJob', { params: { id } })).status

  it('are listed newest first by what they are about in numbers, without what anybody wrote', async () => {
    await die('a')
    const id = await die('b', 'send-push', { eventId: 7, mailId: 12, applicationIds: [1], name: 'Bea Moss' })
    await server.db('jobs').where({ id }).update({ lastError: 'no answer for "Bea Moss" <bea@example.com>' })
    const { status, body, text } = await ada.call('listFailedJobs')
    expect(status).toBe(200)
    expect(body).toHaveLength(2)
    expect(body[0]).toEqual({
      id,
      kind: 'send-push',
      about: 'mail 12, event 7',
      attempts: 8,
      lastError: 'no answer for "…" <…>',
      failedAt: expect.any(String),
    })
    expect(text).not.toMatch(/Bea|Moss|example\.com/)
  })

  it('run again with all their attempts', async () => {
    const first = await die('a')
    await die('b')
    expect(await retry(first)).toBe(204)
    const states = await server.db('jobs').orderBy('id').select('state', 'attempts')
    expect(states).toEqual([
      { state: 'waiting', attempts: 0 },
      { state: 'dead', attempts: 8 },
    ])
  })

  it('are put aside for good', async () => {
    const id = await die('a')
    expect(await discard(id)).toBe(204)
    expect(await retry(id)).toBe(204)
    expect(await server.db('jobs').where({ id }).first()).toMatchObject({ state: 'cancelled' })
    expect(await listed()).toEqual([])
  })

  it('are left alone once they wait again', async () => {
    const id = await die('a')
    await retry(id)
    await server.db('jobs').where({ id }).update({ attempts: 3 })
    expect([await retry(id), await discard(id)]).toEqual([204, 204])
    expect(await server.db('jobs').where({ id }).first()).toMatchObject({ state: 'waiting', attempts: 3 })
  })

  it('that were to send a mail send it by a new try, which the mail’s own log tells of', async () => {
    const to = { name: 'Bea', address: 'bea@example.com' }
    await server.db.transaction((trx) =>
      queueMails(trx, [{ kind: 'acknowledgement', key: 'acknowledgement:1', to, payload: {} }]),
    )
    await server.db('mails').update({ state: 'failed' })
    const [job] = await server.db('jobs').update({ state: 'dead' }).returning('id')
    expect(await retry(job!.id)).toBe(204)
    expect(await server.db('mails').first()).toMatchObject({ state: 'queued', retries: 1 })
    expect((await server.db('jobs').orderBy('id')).map(({ state }) => state)).toEqual(['cancelled', 'waiting'])
  })
})

describe('what phones were refused', () => {
  const entry = (route: string, more: object = {}) => ({ key: randomUUID(), route, lane: randomUUID(), ...more })
  const counted = async (code: string) =>
    (await refusedChanges.get()).values.find(({ labels }) => labels.code === code)?.value ?? 0
  /** By how much a count grows. */
  async function growth(code: string, entries: readonly object[], account: number | null = olivia.userId) {
    const before = await counted(code)
    const client = account === null ? server.client() : olivia
    await client.call('replayMutations', { body: { account, entries } })
    return (await counted(code)) - before
  }

  it('is counted by its reason', async () => {
    const missing = { params: { beaconId: 2_000_000_000 }, body: { status: 'approved' } }
    expect(await growth('not_found', [entry('decideApplication', missing), entry('decideApplication', missing)])).toBe(
      2,
    )
    expect(await growth('invalid_input', [entry('sing'), entry('sing')], null)).toBe(2)
  })

  it('is not what a phone waits out, or deleting what is gone', async () => {
    const deletion = entry('deleteEvent', { params: { id: 2_000_000_000 } })
    expect(await growth('not_found', [deletion])).toBe(0)
    expect(await growth('sign_in_required', [deletion], null)).toBe(0)
  })
})
