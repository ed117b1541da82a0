import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { crowd, setVisitedEvent } from '../testing/visited-event.ts'
import { fullSize, sized } from '../testing/proof-size.ts'

const stage = await setVisitedEvent()
const { apply, publish } = stage

describe('a crowd', () => {
  const many = sized(500, 60)

  it('of volunteers behind the one address of a venue gets in at once', async () => {
    // As long as a form that somebody has taken trouble with.
    const bio = 'I like to bring people together who have not met before. '.repeat(15)
    expect(await crowd(many, () => apply('203.0.113.1', { bio, whyBeacon: bio }))).toEqual({ 201: many })
    expect(await stage.server.db('applications').where({ eventId: stage.eventId })).toHaveLength(many)
  })

  if (fullSize) {
    it('looks at its own applications from there, too', async () => {
      const { token } = (await apply('203.0.113.1')).body
      const look = () =>
        stage.server.client().call('getOwnApplication', {
          headers: { 'x-application-token': token, 'x-forwarded-for': '203.0.113.1' },
        })
      expect(await crowd(500, look)).toEqual({ 200: 500 })
    })
  }
})

describe('nobody shuts an event', () => {
  const stored = sized(300, 30)

  it('with applications that are stored already', async () => {
    await apply('198.51.100.9', { email: 'bea@example.com' })
    const twice = (n: number) => apply(`198.51.100.${n % 5}`, { email: 'bea@example.com' })
    expect(await crowd(stored, twice)).toEqual({ 409: stored })
    expect((await apply('203.0.113.1')).status).toBe(201)
    const spent = await stage.server.db('rate_limits').where('key', 'like', 'application-event%')
    expect(spent.map(({ points }) => points)).toEqual([2])
  })

  if (fullSize) {
    it('with more applications than an event gets in an hour, from five addresses', async () => {
      expect(await crowd(400, (n) => apply(`198.51.100.${n % 5}`))).toEqual({ 201: 400 })
      expect((await apply('203.0.113.1')).status).toBe(201)
    })
  }
})

describe('an acknowledgement', () => {
  const mailsTo = (address: string) => stage.server.db('mails').where({ kind: 'acknowledgement', toAddress: address })

  it('goes to one mailbox five times a day, whatever is applied for in its name', async () => {
    const mailbox = `${randomUUID()}@example.com`
    const dresses = [mailbox, mailbox.toUpperCase(), mailbox.replace('@', '+tag@')]
    for (let n = 0; n < 9; n += 1) {
      const answer = await apply(`198.51.100.${n}`, { email: dresses[n % 3] }, await publish())
      expect(answer.status, answer.text).toBe(201)
    }
    const sent = await Promise.all(dresses.map(mailsTo))
    expect(sent.flat()).toHaveLength(5)
    expect((await apply('198.51.100.1', { email: `${randomUUID()}@example.com` })).status).toBe(201)
  })

  it('waits for the next hour after six hundred of an event, and is left out after a day of them', async () => {
    const countedAs = (points: number) =>
      stage.server.db('rate_limits').where('key', 'like', 'application-event%').update({ points })
    const acknowledged = async () => {
      const email = `${randomUUID()}@example.com`
      expect((await apply(`203.0.113.${Math.ceil(Math.random() * 200)}`, { email })).status).toBe(201)
      return (await mailsTo(email))[0]
    }
    expect(await acknowledged()).toMatchObject({ state: 'queued' })
    await countedAs(599)
    expect(await acknowledged()).toMatchObject({ state: 'queued' })
    const held = await acknowledged()
    expect(held).toMatchObject({ state: 'held' })
    expect(held!.sendAt.getTime() - Date.now()).toBeGreaterThan(59 * 60_000)
    expect(held!.sendAt.getTime() - Date.now()).toBeLessThan(61 * 60_000)
    await countedAs(24 * 600)
    expect(await acknowledged()).toBeUndefined()
  })
})
