import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { insertJobs } from '../jobs/job-store.ts'
import { queueMails } from '../mail/mail-store.ts'
import { setTestServer, type TestClient } from '../testing/test-server.ts'

const server = await setTestServer()
const ada = await server.addMember('Ada', { isAdmin: true })
const olivia = await server.addMember('Olivia', { deviceName: 'Olivia’s iPad' })
beforeEach(async () => {
  await server.db('jobs').del()
  await server.db('mails').del()
  await server.db('refused_changes').del()
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

const audited = async (route: string) =>
  await server.db('audit_log').where({ route, userId: ada.userId }).orderBy('id', 'desc').first('subject', 'status')

describe('jobs that somebody has to look at', () => {
  it('are listed by what they are about in numbers, and with nothing that anybody wrote', async () => {
    const id = await die('a', 'send-push', { eventId: 7, subscriptionId: 3, applicationIds: [1], name: 'Bea Moss' })
    await server.db('jobs').update({ lastError: 'no answer for "Bea Moss" <bea@example.com>' })
    const { status, body, text } = await ada.call('listStrandedJobs')
    expect(status).toBe(200)
    expect(body).toEqual({
      jobs: [
        {
          id,
          kind: 'send-push',
          standing: 'dead',
          about: [{ what: 'event', id: 7 }],
          attempts: 8,
          lastError: 'no answer for "…" <…>',
          since: expect.any(String),
        },
      ],
      counts: [{ kind: 'send-push', dead: 1, overdue: 0 }],
    })
    expect(text).not.toMatch(/Bea|Moss|example\.com/)
  })

  it('include those that nobody takes for an hour, and no others', async () => {
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000)
    await server.db.transaction((trx) =>
      insertJobs(trx, [
        { kind: 'sing', key: 'old', payload: {}, runAt: hours(2) },
        { kind: 'sing', key: 'fresh', payload: {}, runAt: hours(0.5) },
        { kind: 'sing', key: 'later', payload: {}, runAt: hours(-2) },
      ]),
    )
    const { body } = await ada.call('listStrandedJobs')
    expect(body.jobs).toMatchObject([{ kind: 'sing', standing: 'overdue' }])
    expect(body.counts).toEqual([{ kind: 'sing', dead: 0, overdue: 1 }])
    expect((await ada.call('discardJob', { params: { id: body.jobs[0].id } })).body).toEqual({ count: 1 })
    expect(await server.db('jobs').orderBy('key').select('key', 'state')).toEqual([
      { key: 'fresh', state: 'waiting' },
      { key: 'later', state: 'waiting' },
      { key: 'old', state: 'cancelled' },
    ])
  })

  it('run again one by one or all of a kind, with all their attempts, and the audit log tells who wanted it', async () => {
    const first = await die('a')
    await die('b')
    await die('c', 'new-application-push')
    expect((await ada.call('retryJob', { params: { id: first }, body: { of: 'job' } })).body).toEqual({ count: 1 })
    expect(await audited('retryJob')).toEqual({ subject: String(first), status: 200 })
    expect(await server.db('jobs').where({ id: first }).first()).toMatchObject({ state: 'waiting', attempts: 0 })
    expect((await ada.call('retryJob', { params: { id: first }, body: { of: 'job' } })).body).toEqual({ count: 0 })
    const again = await die('d')
    expect((await ada.call('retryJob', { params: { id: again }, body: { of: 'kind' } })).body).toEqual({ count: 2 })
    expect(await server.db('jobs').where({ state: 'dead' }).select('key')).toEqual([{ key: 'c' }])
  })

  it('are put aside for good, and not once they run again', async () => {
    const id = await die('a')
    expect((await ada.call('discardJob', { params: { id } })).body).toEqual({ count: 1 })
    expect((await ada.call('discardJob', { params: { id } })).body).toEqual({ count: 0 })
    expect((await ada.call('retryJob', { params: { id }, body: { of: 'job' } })).body).toEqual({ count: 0 })
    expect((await ada.call('listStrandedJobs')).body).toEqual({ jobs: [], counts: [] })
    expect(await audited('discardJob')).toEqual({ subject: String(id), status: 200 })
  })

  it('that were to send a mail send it by a new try, which the mail’s own log tells of', async () => {
    await server.db.transaction((trx) =>
      queueMails(trx, [
        {
          kind: 'acknowledgement',
          key: 'acknowledgement:1',
          to: { name: 'Bea', address: 'bea@example.com' },
          payload: {},
        },
      ]),
    )
    const [mail] = await server.db('mails').update({ state: 'failed' }).returning('id')
    const [job] = await server.db('jobs').update({ state: 'dead' }).returning('id')
    const listed = await ada.call('listStrandedJobs')
    expect(listed.body.jobs).toMatchObject([{ kind: 'send-mail', about: [{ what: 'mail', id: mail!.id }] }])
    expect((await ada.call('retryJob', { params: { id: job!.id }, body: { of: 'kind' } })).body).toEqual({ count: 1 })
    expect(await server.db('mails').first()).toMatchObject({ state: 'queued', retries: 1 })
    expect((await server.db('jobs').orderBy('id')).map(({ state }) => state)).toEqual(['cancelled', 'waiting'])
  })

  it('are listed from the index where the table is long', async () => {
    await server.db.raw(
      `insert into jobs (kind, key, payload, state) select 'mail', 'done-' || n, '{}', 'done' from generate_series(1, 20000) n`,
    )
    await server.db.raw('analyze jobs')
    const { rows } = await server.db.raw(`explain select kind, count(*) from jobs where state = 'dead' group by kind`)
    expect(JSON.stringify(rows)).toContain('jobs_dead')
  })
})

describe('what phones were refused', () => {
  const entry = (route: string, more: object = {}) => ({ key: randomUUID(), route, lane: randomUUID(), ...more })
  const replay = async (client: TestClient, account: number | null, entries: readonly object[]) =>
    await client.call('replayMutations', { body: { account, entries } })
  /** It is noted after the answer went out. */
  const soon = async (count: number) => {
    const listed = async () => (await ada.call('listRefusedChanges')).body
    await expect.poll(listed).toHaveLength(count)
    return await listed()
  }

  it('is counted by account, call and reason, without what they sent', async () => {
    const missing = { params: { beaconId: 2_000_000_000 }, body: { status: 'approved' } }
    const answer = await replay(olivia, olivia.userId, [
      entry('decideApplication', missing),
      entry('decideApplication', missing),
      entry('decideApplication', { params: { beaconId: 1 }, body: { status: 'Bea Moss' } }),
      entry('sing Bea Moss'),
    ])
    expect(answer.status).toBe(200)
    const listed = await soon(3)
    const about = { account: { id: olivia.userId, username: 'Olivia' }, deviceName: 'Olivia’s iPad', askedAt: null }
    const decision = { route: 'decideApplication', what: 'Approve, reject or revoke' }
    const unknown = { route: 'unknown', what: 'A change this server does not know' }
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...decision, code: 'not_found', times: 2, ...about }),
        expect.objectContaining({ ...decision, code: 'invalid_input', times: 1, ...about }),
        expect.objectContaining({ ...unknown, code: 'invalid_input', times: 1, ...about }),
      ]),
    )
    expect(JSON.stringify(listed)).not.toContain('Bea')
  })

  it('is not what went well, what a phone waits out, or deleting what is gone', async () => {
    await replay(olivia, olivia.userId, [entry('deleteEvent', { params: { id: 2_000_000_000 } })])
    await replay(server.client(), null, [entry('deleteEvent', { params: { id: 1 } })])
    await replay(olivia, olivia.userId + 1000, [entry('deleteEvent', { params: { id: 1 } })])
    await replay(olivia, olivia.userId, [entry('sing')])
    expect(await soon(1)).toMatchObject([{ route: 'unknown' }])
  })

  it('takes one row however often, from however many devices, it is tried', async () => {
    const strangers = Array.from({ length: 20 }, () => server.client())
    await Promise.all(strangers.map((client) => replay(client, null, [entry(`made-up-${randomUUID()}`), entry('x')])))
    const kept = async () => await server.db('refused_changes').select('userId', 'deviceName', 'times')
    await expect.poll(kept).toEqual([{ userId: null, deviceName: null, times: 40 }])
  })

  it('can be put aside until it happens again', async () => {
    await replay(olivia, olivia.userId, [entry('sing')])
    const [row] = await soon(1)
    expect((await ada.call('putRefusedChangeAside', { params: { id: row.id } })).status).toBe(204)
    await soon(0)
    await replay(olivia, olivia.userId, [entry('sing')])
    expect(await soon(1)).toMatchObject([{ id: row.id, times: 2 }])
  })

  it('is worth another try once an admin says so: its owner is told, nobody else, until it is refused again', async () => {
    await replay(olivia, olivia.userId, [entry('sing')])
    const [row] = await soon(1)
    expect((await olivia.call('listAskedTries')).body).toEqual([])
    expect((await ada.call('askForAnotherTry', { params: { id: row.id } })).status).toBe(204)
    expect(await audited('askForAnotherTry')).toEqual({ subject: String(row.id), status: 204 })
    expect((await olivia.call('listAskedTries')).body).toEqual([{ route: 'unknown', code: 'invalid_input' }])
    expect((await ada.call('listAskedTries')).body).toEqual([])
    expect((await soon(1))[0].askedAt).not.toBeNull()
    await replay(olivia, olivia.userId, [entry('sing')])
    await expect.poll(async () => (await soon(1))[0].times).toBe(2)
    expect((await olivia.call('listAskedTries')).body).toEqual([])
    expect((await soon(1))[0].askedAt).toBeNull()
  })

  it('of visitors has no owner who could be asked', async () => {
    await replay(server.client(), null, [entry('sing')])
    const [row] = await soon(1)
    expect(row.account).toBeNull()
    expect((await ada.call('askForAnotherTry', { params: { id: row.id } })).status).toBe(404)
  })
})
