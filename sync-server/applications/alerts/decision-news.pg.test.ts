import { beforeEach, describe, expect, it } from 'vitest'
import type { FakeSubscription } from '../../testing/push/push-service.ts'
import { setPushStage } from '../../testing/push/push-stage.ts'

const stage = await setPushStage()

let bea: { id: number; token: string }
let phone: FakeSubscription
beforeEach(async () => {
  await stage.db('applicant_phones').del()
  bea = await stage.volunteer()
  phone = await tell(bea.token)
})

async function tell(token: string, subscription = stage.service.subscribe(), status = 204): Promise<FakeSubscription> {
  const answer = await stage.run('tellThisPhone', { body: { token, ...subscription, expirationTime: null } })
  expect(answer.status).toBe(status)
  return subscription
}

const decide = async (status: 'approved' | 'rejected', more: { tellApplicant?: boolean } = {}) =>
  expect((await stage.decide(bea.id, { status, ...more })).status).toBe(200)

/** The minute in which a decision can still be changed has passed: its mail is sent, too. */
async function holdIsOver(): Promise<void> {
  await stage.db('mails').where({ kind: 'decision', state: 'held' }).update({ state: 'sent' })
  await stage.hurry('decision-push')
}
const phones = async () => (await stage.db('applicant_phones').orderBy('id')).map(({ endpoint }) => endpoint)

describe('the phone of an applicant', () => {
  it('is told a minute after a decision that there is news, without saying whose or what', async () => {
    await decide('approved')
    const [held] = await stage.db('jobs').where({ kind: 'decision-push' })
    expect(held!.runAt.getTime() - stage.clock.now.getTime()).toBe(60_000)
    await stage.work()
    expect(stage.messagesTo(phone)).toEqual([])
    await holdIsOver()
    expect(stage.service.complaints).toEqual([])
    expect(stage.messagesTo(phone)).toEqual([
      {
        web_push: 8030,
        mutable: true,
        notification: {
          title: 'Harbor Mixer',
          body: 'There is news about your application.',
          navigate: `${stage.publicOrigin}/events/${stage.eventId}/apply?own=${bea.id}`,
          tag: `application-${bea.id}`,
          renotify: true,
          data: { ownApplicationId: bea.id },
        },
      },
    ])
    const [received] = stage.receivedBy(phone)
    expect(received?.text).not.toMatch(/canary|nightingale|approved|\b555\b/i)
    expect(received?.text).not.toContain(bea.token)
    expect(received).toMatchObject({ topic: `application-${bea.id}`, urgency: 'high', ttl: '259200' })
    expect(await stage.db('applicant_phones').first()).toMatchObject({ failureCount: 0 })
    expect((await stage.db('applicant_phones').first())?.lastSuccessAt).not.toBeNull()
  })

  it.each<[string, number, ('approve' | 'reject' | 'reject quietly' | 'a minute')[]]>([
    ['of a decision that was changed while it was held', 1, ['approve', 'reject', 'a minute']],
    ['of one taken back to what is known already', 1, ['approve', 'a minute', 'reject', 'approve', 'a minute']],
    ['that an approval was withdrawn', 2, ['approve', 'a minute', 'reject quietly', 'a minute']],
    ['of a rejection the organizer keeps quiet', 0, ['reject quietly', 'a minute']],
  ])('is told as often as there is news: %s', async (_, times, steps) => {
    for (const step of steps) {
      if (step === 'a minute') await holdIsOver()
      else if (step === 'approve') await decide('approved')
      else await decide('rejected', step === 'reject' ? {} : { tellApplicant: false })
    }
    expect(stage.messagesTo(phone)).toHaveLength(times)
  })

  it('is not told of a decision on what was withdrawn meanwhile, or deleted with its event', async () => {
    await decide('approved')
    await stage.run('withdrawApplication', { body: { token: bea.token } })
    await holdIsOver()
    expect(stage.messagesTo(phone)).toEqual([])
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: stage.eventId } })
    expect(await phones()).toEqual([])
  })

  it('is told beside the others of its owner, each by a try of its own', async () => {
    const tablet = await tell(bea.token)
    stage.service.answerNext(phone.endpoint, { status: 503 })
    await decide('approved')
    await holdIsOver()
    await stage.hurry('send-news')
    for (const device of [phone, tablet]) expect(stage.messagesTo(device)).toHaveLength(1)
  })

  it('that wants no more news gets none', async () => {
    const stop = async (token: string) =>
      (await stage.run('stopTellingThisPhone', { body: { token, endpoint: phone.endpoint } })).status
    expect(await stop('a guess')).toBe(404)
    expect(await stop((await stage.volunteer()).token)).toBe(204)
    expect(await phones()).toEqual([phone.endpoint])
    expect(await stop(bea.token)).toBe(204)
    await decide('approved')
    await holdIsOver()
    expect(stage.messagesTo(phone)).toEqual([])
  })

  it('is told of each application it asked for, and asking twice is asking once', async () => {
    const bo = await stage.volunteer()
    await tell(bo.token, phone)
    await tell(bo.token, phone)
    await decide('approved')
    await holdIsOver()
    expect(stage.messagesTo(phone)).toHaveLength(1)
    expect(await phones()).toEqual([phone.endpoint, phone.endpoint])
  })
})

describe('asking to be told', () => {
  it('needs the token of the application, and one that was not withdrawn', async () => {
    await tell('a guess', stage.service.subscribe(), 404)
    await stage.run('withdrawApplication', { body: { token: bea.token } })
    await tell(bea.token, stage.service.subscribe(), 409)
    expect(await phones()).toEqual([phone.endpoint])
  })

  it('of an application that is being deleted is not kept', async () => {
    const deletion = await stage.db.transaction()
    await deletion('applications').where({ id: bea.id }).del()
    const late = tell(bea.token, stage.service.subscribe(), 404)
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await stage.db.raw(waiting)).rows).toHaveLength(1)
    await deletion.commit()
    await late
  })

  it('needs the address of a known push service', async () => {
    const elsewhere = { ...stage.service.subscribe(), endpoint: 'https://127.0.0.1/push' }
    await tell(bea.token, elsewhere, 400)
    expect(await phones()).toEqual([phone.endpoint])
  })

  it('keeps the newest five phones', async () => {
    const more: FakeSubscription[] = []
    for (let time = 0; time < 6; time += 1) more.push(await tell(bea.token))
    expect(await phones()).toEqual(more.slice(1).map(({ endpoint }) => endpoint))
  })

  it('is counted with all that is done with links from one address', async () => {
    expect(stage.spent.filter((line) => line.startsWith('own-application '))).toHaveLength(1)
  })
})
