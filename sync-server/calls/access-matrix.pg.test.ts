import { describe, expect, it } from 'vitest'
import { endpoint } from '#shared/contract/endpoints.ts'
import type { RouteName } from '#shared/api/routes.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { replicationHandlers } from '../app/app.ts'
import { createHandlers } from '../app/nouns.ts'
import { createDemoTransport } from '../mail/create-mail-transport.ts'
import { matrix, names, people, specOf } from '../testing/access/access-matrix.ts'
import { canary, setMatrixCast } from '../testing/access/matrix-cast.ts'

const { arrive, makeEvent, server } = await setMatrixCast()

/** A cache may keep them as long as it asks again. */
const saysTheSameToAll: ReadonlySet<string> = new Set(
  'findSession listEvents getEvent listBeacons listPlans getBillingMode getSite getPushKey describeApi'.split(' '),
)

describe('who may do what', () => {
  it.each(names)('%s answers each kind of person as the matrix says', async (name) => {
    await server.db('rate_limits').delete()
    let ids = await makeEvent()
    for (const person of people) {
      const client = await arrive(person)
      const expected = matrix[name][person]
      const answer = await client.call(name, matrix[name].input?.(ids))
      expect(answer.status, `${person}: ${answer.text}`).toBe(expected === 'ok' ? specOf(name).status : expected)
      const isForAll = ['anonymous', 'expired'].includes(person) && saysTheSameToAll.has(name)
      expect([person, answer.headers.get('cache-control')?.split(',')[0]]).toEqual([
        person,
        isForAll ? 'no-cache' : 'no-store',
      ])
      if (answer.status === 401 && name !== 'login')
        expect(answer.body.code).toBe(person === 'expired' ? 'session_expired' : 'sign_in_required')
      if (person !== 'owner') {
        const secrets = matrix[name].byToken ? [canary.promoCode, canary.instructions] : Object.values(canary)
        for (const secret of secrets) expect(answer.text, `${person} sees a secret`).not.toContain(secret)
      }
      // Whoever may do it may have left nothing to do for the next.
      if (expected === 'ok' && endpoint(name).method !== 'GET') ids = await makeEvent()
    }
  })

  it("answers a stranger's event and a missing one alike", async () => {
    const ids = await makeEvent()
    const client = await arrive('other')
    const nowhere = { eventId: 2_000_000_000, applicationId: 2_000_000_000, token: 'none', mailId: 2_000_000_000 }
    for (const name of names.filter((candidate) => specOf(candidate).access === 'owner')) {
      const strangers = await client.call(name, matrix[name].input?.(ids))
      const missing = await client.call(name, matrix[name].input?.(nowhere))
      const strip = ({ status, body }: { status: number; body: object }) => [status, { ...body, requestId: '' }]
      expect(strip(strangers), name).toEqual(strip(missing))
    }
  })
})

it('every route of the table has a handler, and every handler a route', () => {
  const handlers = createHandlers({
    passwords: createPasswords(),
    mail: createDemoTransport(server.db),
    payments: null,
    replication: replicationHandlers,
  })
  const streams: RouteName[] = ['openStream', 'replayMutations']
  expect(Object.keys(handlers).concat(streams).toSorted()).toEqual(names.toSorted())
})
