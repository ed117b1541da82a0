import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ProblemError } from '../calls/problems.ts'
import { beginEpoch } from '../feed/epoch.ts'
import { applicationBody } from '../testing/route-rig.ts'
import { presentAnyEvent, type TestClient, setTestServer } from '../testing/test-server.ts'

let ran: string[] = []

const receipt = { id: 7, status: 'pending' as const, token: 't' }

const server = await setTestServer({
  present: presentAnyEvent,
  handlers: {
    // Deleting event 4xx or 5xx is refused or breaks; what ran is noted.
    deleteEvent: async ({ params, caller, touch }) => {
      ran.push(`${caller?.username} deletes ${params.id}`)
      if (params.id === 404) throw new ProblemError('not_found', 'Event Not Found')
      if (params.id === 503) throw new ProblemError('unavailable', 'Later', { retryAfterSeconds: 7 })
      touch({ what: 'event', id: params.id, organizerId: caller!.userId })
      return undefined
    },
    applyAsBeacon: {
      make: async ({ params, body, caller }) => {
        ran.push(`${caller?.username ?? 'a stranger'} applies for ${params.eventId}`)
        return { ...receipt, eventId: params.eventId, firstName: body.firstName, lastName: body.lastName }
      },
      present: async ({ params, body }) => {
        return { ...receipt, eventId: params.eventId, firstName: body.firstName, lastName: body.lastName }
      },
    },
  },
})
const olivia = await server.addMember('Olivia')
const oliviaId = olivia.userId

type Entry = { key: string; route: string; lane: string; params?: object; body?: unknown; again?: boolean }
const deletion = (id: number | string, lane = `event:${id}`): Entry => ({
  key: randomUUID(),
  route: 'deleteEvent',
  lane,
  params: { id },
})
const application = (): Entry => ({
  key: randomUUID(),
  route: 'applyAsBeacon',
  lane: 'application:1',
  params: { eventId: 3 },
  body: applicationBody(),
})
async function replay(entries: Entry[], account: number | null = oliviaId, client: TestClient = olivia) {
  ran = []
  const answer = await client.call('replayMutations', { body: { account, entries } })
  return { ...answer, verdicts: (answer.status === 200 ? answer.body : []) as any[] }
}

describe('a batch of queued changes', () => {
  it('answers one verdict per entry, in order, with the own scope’s version that has them all', async () => {
    const entries = [deletion(1), deletion('2'), deletion(3)]
    const { verdicts, headers } = await replay(entries)
    const { body: head } = await olivia.call('pull', { query: { scope: 'org' } })
    const { checkpoint } = head
    expect(verdicts).toEqual(entries.map(({ key }) => ({ key, status: 204, version: 3, checkpoint })))
    expect(headers.get('content-type')).toContain('ndjson')
    expect(ran).toEqual(['Olivia deletes 1', 'Olivia deletes 2', 'Olivia deletes 3'])
  })

  it('names the epoch of its versions, which are never compared across a restore', async () => {
    const epochs: (string | null)[] = []
    for (let restored = 0; restored < 2; restored++) {
      const { headers } = await replay([deletion(20 + restored)])
      expect(headers.get('x-epoch')).toBe((await server.db('sync_epoch').first('epoch'))?.epoch)
      epochs.push(headers.get('x-epoch'))
      await beginEpoch(server.db)
    }
    expect(epochs[0]).not.toBe(epochs[1])
  })

  it('answers a newer app’s wording of a change as its first try, alone or in a batch', async () => {
    const first = application()
    const { verdicts } = await replay([first])
    const later = { ...first, body: { ...(first.body as object), phone: '312 555 0142' } }
    const { verdicts: again } = await replay([later])
    expect(again).toEqual(verdicts)
    expect(ran).toEqual([])
    const { verdicts: many } = await replay([later, application()])
    expect(many.map(({ status }) => status)).toEqual([201, 201])
    expect(ran).toHaveLength(1)
    expect(
      (await olivia.call('applyAsBeacon', { params: { eventId: 3 }, key: first.key, body: later.body })).status,
    ).toBe(201)
  })

  it('leaves the rest of a lane untouched after a refusal or failure, and other lanes alone', async () => {
    const entries = [
      deletion(404, 'a'),
      deletion(21, 'a'),
      deletion(22, 'b'),
      deletion(503, 'c'),
      deletion(23, 'c'),
      deletion(24, 'a'),
    ]
    const { verdicts } = await replay(entries)
    expect(verdicts.map(({ status, untouched }) => status ?? (untouched && 'untouched'))).toEqual([
      404,
      'untouched',
      204,
      503,
      'untouched',
      'untouched',
    ])
    expect(verdicts[3]).toMatchObject({ retryAfterSeconds: 7, body: { code: 'unavailable' } })
    expect(ran).toEqual(['Olivia deletes 404', 'Olivia deletes 22', 'Olivia deletes 503'])
  })

  it('runs nothing but queueable calls', async () => {
    for (const route of ['login', 'replayMutations', 'createSubscription', 'toString', 'nothing']) {
      const { verdicts } = await replay([{ key: randomUUID(), route, lane: 'a', body: {} }])
      expect([verdicts[0].status, verdicts[0].body.code]).toEqual([400, 'invalid_input'])
    }
  })

  it("is refused as a whole for another account than the session's, or without a session", async () => {
    const otherwise = await replay([deletion(1)], oliviaId + 1)
    expect([otherwise.status, otherwise.body.code]).toEqual([409, 'account_mismatch'])
    const signedOut = await replay([deletion(1)], oliviaId, server.client())
    expect([signedOut.status, signedOut.body.code]).toEqual([401, 'sign_in_required'])
    expect(ran).toEqual([])
  })

  it('runs a visitor’s change as a stranger’s, whoever is signed in, and once beside the call', async () => {
    const entry = application()
    const { verdicts } = await replay([entry], null)
    expect([verdicts[0].status, verdicts[0].version]).toEqual([201, undefined])
    expect(ran).toEqual(['a stranger applies for 3'])
    const plain = await olivia.call('applyAsBeacon', { key: entry.key, params: { eventId: 3 }, body: entry.body })
    expect(plain.body).toEqual(verdicts[0].body)
    expect(ran).toHaveLength(1)
    expect((await replay([deletion(1)], null)).verdicts[0].body.code).toBe('sign_in_required')
  })

  it('echoes its own key, and refuses more than five hundred entries', async () => {
    const key = randomUUID()
    const answer = await olivia.call('replayMutations', { key, body: { account: oliviaId, entries: [deletion(41)] } })
    expect(answer.headers.get('x-ack')).toBe(key)
    expect((await replay(Array.from({ length: 501 }, () => deletion(1)))).status).toBe(400)
  })
})

describe('discarding a change that may be on its way', () => {
  const cancel = (key: string, account: number | null = oliviaId) =>
    olivia.call('cancelMutation', { body: { account, key } })

  it('forbids what an account has sent when it has not arrived', async () => {
    const entry = deletion(51)
    expect((await cancel(entry.key)).body).toEqual({ outcome: 'cancelled' })
    const { verdicts } = await replay([entry])
    expect([verdicts[0].status, verdicts[0].body.code, ran]).toEqual([422, 'cancelled', []])
  })

  it("forbids and reports a visitor's change too, with an account or without", async () => {
    const [early, late] = [application(), application()]
    expect((await cancel(early.key, null)).body).toEqual({ outcome: 'cancelled' })
    expect((await replay([early], null)).verdicts[0].status).toBe(422)
    await replay([late], null)
    expect((await cancel(late.key, oliviaId)).body).toEqual({ outcome: 'already-happened' })
  })

  it('is refused for another account', async () => {
    expect((await cancel(randomUUID(), oliviaId + 1)).status).toBe(409)
  })

  it('is asked for many together, with one answer each, in order', async () => {
    const [early, done, refused] = [deletion(53), deletion(54), deletion(404)] as const
    await replay([done, refused])
    ran.length = 0
    const keys = [early, done, refused, early].map(({ key }) => key)
    const answer = await olivia.call('cancelMutations', { body: { keys } })
    expect(answer.body).toEqual({ outcomes: ['cancelled', 'already-happened', 'cancelled', 'cancelled'] })
    expect((await replay([early])).verdicts[0].body.code).toBe('cancelled')
    expect(ran).toEqual([])
    const many = Array.from({ length: 501 }, () => randomUUID())
    expect((await olivia.call('cancelMutations', { body: { keys: many } })).status).toBe(400)
    expect((await olivia.call('cancelMutations', { body: { keys: many.slice(1) } })).body.outcomes).toHaveLength(500)
  })

  it("forbids nothing of somebody else's", async () => {
    const entry = deletion(55)
    const otto = await server.addMember('Otto')
    expect((await otto.call('cancelMutations', { body: { keys: [entry.key] } })).body.outcomes).toEqual(['cancelled'])
    // A device that knows whose change it is must not take that for an answer about it.
    const named = await otto.call('cancelMutations', { body: { account: oliviaId, keys: [entry.key] } })
    expect(named).toMatchObject({ status: 409, body: { code: 'account_mismatch' } })
    expect((await replay([entry])).verdicts[0].status).toBeLessThan(300)
  })

  it('agrees with copies of the changes that are under way about what happened', async () => {
    const entries = Array.from({ length: 40 }, (_, index) => deletion(600 + index))
    const keys = entries.map(({ key }) => key).toReversed()
    const ask = () => olivia.call('cancelMutations', { body: { keys } })
    const [{ verdicts }, first] = await Promise.all([replay(entries), ask()])
    // Whoever lost a deadlock is told to come again.
    const { body } = first.status === 503 ? await ask() : first
    const outcomes = new Map(keys.map((key, index) => [key, body.outcomes[index]]))
    for (const { key, status } of verdicts)
      expect(outcomes.get(key)).toBe(status < 300 ? 'already-happened' : 'cancelled')
    expect(verdicts).toHaveLength(40)
  })
})
