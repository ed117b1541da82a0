import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { setTestServer } from '../testing/test-server.ts'

let failures = 0

const effects = async () => (await server.db('effects' as 'users')).length
const keyRow = (key: string) => server.db('idempotency_keys').where({ key }).first()

const answer = (id: number) => ({
  subscription: null,
  plan: null,
  canCreateEvent: { canCreate: false, reason: `Row ${id}` },
})

const server = await setTestServer({
  handlers: {
    // A small real effect: so many rows as the plan's number; 20 breaks after writing.
    createSubscription: {
      make: async ({ db, body: { planId } }) => {
        const { rows } = await db.raw(`insert into effects select from generate_series(1, ?) returning id`, [planId])
        if (planId === 20) throw new Error(`Broken ${++failures}`)
        return answer(rows[0].id)
      },
      present: async ({ db }) => answer((await db.raw('select max(id) as id from effects')).rows[0].id),
    },
  },
})
await server.db.raw('create table effects (id bigint generated always as identity)')
const olivia = await server.addMember('Olivia')

describe('a change with an Idempotency-Key', () => {
  it('happens once when fifty copies arrive together, and all get the same answer', async () => {
    const key = randomUUID()
    const before = await effects()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => olivia.call('createSubscription', { key, body: { planId: 1 } })),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(new Set(answers.map((answer) => answer.headers.get('x-ack')))).toEqual(new Set([key]))
    expect((await effects()) - before).toBe(1)
    expect(await server.db('audit_log').where({ route: 'createSubscription' })).toHaveLength(1)
  })

  it('is tried again after a failure of ours', async () => {
    const key = randomUUID()
    const before = await effects()
    const first = await olivia.call('createSubscription', { key, body: { planId: 20 } })
    expect([first.status, first.body.code]).toEqual([500, 'internal'])
    expect(first.text).not.toContain('Broken')
    expect(await keyRow(key)).toBeUndefined()
    await olivia.call('createSubscription', { key, body: { planId: 20 } })
    expect(failures).toBe(2)
    expect(await effects()).toBe(before)
  })

  it('does not meet the same key of another user', async () => {
    const key = randomUUID()
    const otto = await server.addMember('Otto')
    const mine = await olivia.call('createSubscription', { key, body: { planId: 1 } })
    const theirs = await otto.call('createSubscription', { key, body: { planId: 1 } })
    expect(theirs.status).toBe(200)
    expect(theirs.text).not.toBe(mine.text)
  })

  it('is not accepted with a key that is no uuid', async () => {
    const odd = await olivia.call('createSubscription', { key: 'again', body: { planId: 1 } })
    expect([odd.status, odd.headers.get('x-ack'), odd.body.message]).toEqual([
      400,
      null,
      'The Idempotency-Key must be a uuid.',
    ])
  })

  it('is made each time it is sent without a key, signed in or not, with or without a device', async () => {
    const bare = { key: null, headers: { 'X-Device-Id': '' } }
    const first = await olivia.call('createSubscription', { ...bare, body: { planId: 1 } })
    const second = await olivia.call('createSubscription', { ...bare, body: { planId: 1 } })
    expect([first.status, second.status, first.headers.get('x-ack')]).toEqual([200, 200, null])
    expect(second.text).not.toBe(first.text)
    const token = { body: { token: 'not one of ours' } }
    const visitors = [
      await server.call('withdrawApplication', { ...bare, ...token }),
      await server.call('withdrawApplication', { ...bare, ...token }),
    ]
    expect(visitors.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ])
  })

  it('leaves no key behind when the input is wrong, and names the wrong field', async () => {
    const key = randomUUID()
    const answer = await olivia.call('createSubscription', { key, body: { planId: 0, more: 1 } })
    expect([answer.status, Object.keys(answer.body.fields).sort()]).toEqual([400, ['more', 'planId']])
    expect(await keyRow(key)).toBeUndefined()
  })
})
