import type { Knex } from 'knex'
import { describe, expect, it } from 'vitest'
import { sessionHash } from '../../http/session-cookies.ts'
import { addAlertedDevice, addSession } from '../../testing/account-rows.ts'
import { type ArrivedMail, postOrigin, setOrganizerPost } from '../../testing/mail/mail-post.ts'
import { headerOf } from '../../testing/mail/mime.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { setTestServer } from '../../testing/test-server.ts'
import { queueOrganizerMail } from '../organizer-news.ts'

const stage = await setOrganizerStage()
const post = await setOrganizerPost(stage)
const server = await setTestServer({ db: stage.db })

const minuteMs = 60_000

/** Lets time pass and answers what reaches the organizer. */
const after = async (minutes: number) =>
  (await post.after(minutes * minuteMs)).filter(({ to }) => to[0]?.startsWith('olivia'))

const someone = (name: string) => ({
  firstName: name,
  lastName: 'Canary',
  email: `${name.toLowerCase()}@canary.example`,
})
describe('an organizer whom no device alerts', () => {
  it('gets one mail for all who applied within ten minutes, without a word of theirs', async () => {
    const event = await stage.publish()
    await stage.applicant(event.id, someone('Bea'))
    expect(await after(6)).toEqual([])
    await stage.applicant(event.id, someone('Bo'))
    const [mail, ...more] = await after(4)
    expect(more).toEqual([])
    expect(mail?.to).toEqual([stage.olivia.email])
    expect(mail?.subject).toBe('2 new Beacon applications for Harbor Mixer')
    expect(mail?.text).toContain(`See the Applications: ${postOrigin}/events/manage/${event.id}`)
    expect(mail?.raw).not.toMatch(/canary|\bBea\b|\bBo\b/i)
  })

  it('gets the next mail for those who came later, ten minutes after the first of them', async () => {
    const event = await stage.publish()
    await stage.applicant(event.id, someone('Bea'))
    expect(await after(10)).toHaveLength(1)
    await stage.applicant(event.id, someone('Bo'))
    expect(await after(9)).toEqual([])
    const [mail] = await after(1)
    expect(mail?.subject).toBe('1 new Beacon application for Harbor Mixer')
    expect(mail?.text).toContain('In all, 2 applications wait for your answer.')
    expect(await after(60)).toEqual([])
  })

  it('gets one mail for two who apply at the same moment', async () => {
    const event = await stage.publish()
    const [first, second] = [await stage.db.transaction(), await stage.db.transaction()]
    const tell = (trx: Knex, id: number) =>
      queueOrganizerMail(trx, stage.olivia.userId, { id, eventId: event.id }, new Date())
    await tell(first, 1)
    let isQueued = false
    const queued = tell(second, 2).then(() => (isQueued = true))
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
    await expect.poll(async () => isQueued || (await stage.db.raw(waiting)).rows.length > 0).toBe(true)
    await first.commit()
    await queued
    await second.commit()
    expect(await stage.db('mails').where({ eventId: event.id, kind: 'new-applications' })).toHaveLength(1)
  })

  it.each<[string, (apply: () => Promise<number>) => Promise<unknown>]>([
    ['when all are decided meanwhile', async (apply) => await stage.decide(await apply(), { status: 'approved' })],
    [
      'at an address that was never confirmed',
      (apply) => stage.db('users').where({ id: stage.olivia.userId }).update({ emailVerifiedAt: null }).then(apply),
    ],
    ['once a device alerts them', (apply) => addAlertedDevice(stage.db, stage.olivia.userId).then(apply)],
  ])('gets none %s', async (_, story) => {
    const event = await stage.publish()
    await story(() => stage.applicant(event.id, someone('Bea')))
    expect(await after(60)).toEqual([])
  })
})

it('an organizer gets the mail although a device has alerts, once its session has run out', async () => {
  const sessionIdHash = sessionHash(await addSession(stage.db, stage.olivia.userId, { endsAt: new Date(0) }))
  await addAlertedDevice(stage.db, stage.olivia.userId, 'lost', { sessionIdHash })
  const event = await stage.publish()
  await stage.applicant(event.id, someone('Bea'))
  expect(await after(10)).toHaveLength(1)
})

describe('the mail about new applications', () => {
  const addressIn = (mail: ArrivedMail | undefined) =>
    /^<https:\/\/beaconry\.example(\/unsubscribe\/[\w.-]+)>$/.exec(
      headerOf(mail!.mime, 'list-unsubscribe') ?? '',
    )?.[1] ?? ''
  const isOn = async () => (await stage.run('getMailPreferences', { as: stage.olivia })).body.newApplications
  const received = async () => {
    const event = await stage.publish()
    await stage.applicant(event.id, someone('Bea'))
    const [mail] = await after(10)
    return { event, mail, address: addressIn(mail) }
  }
  /** What a mail program sends: no cookie, no session, a form. */
  const press = async (address: string) =>
    await fetch(new URL(address, server.origin), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })

  it('can be turned off by one press in the mail program, for this organizer alone and for good', async () => {
    const { event, mail, address } = await received()
    expect(headerOf(mail!.mime, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(mail?.text).toContain(`Turn off emails about new applications: ${postOrigin}${address}`)
    const pressed = await press(address)
    expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('These emails are off')])
    expect(pressed.headers.getSetCookie()).toEqual([])
    expect(await isOn()).toBe(false)
    expect((await stage.run('getMailPreferences', { as: stage.otto })).body).toEqual({ newApplications: true })
    await stage.applicant(event.id, someone('Bo'))
    expect(await after(60)).toEqual([])
  })

  it('shows a page with a button when the link is opened, and that changes nothing', async () => {
    const { address } = await received()
    for (const method of ['GET', 'HEAD']) {
      const page = await fetch(new URL(address, server.origin), { method })
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      if (method === 'GET') expect(await page.text()).toContain('<form method="post"><button>Turn Them Off</button>')
    }
    expect(await isOn()).toBe(true)
  })

  it('is turned off by nothing but its own link', async () => {
    const { address } = await received()
    const other = address.replace(/\/\d+\./, `/${stage.otto.userId}.`)
    for (const wrong of [other, `${address}x`, address.slice(0, -1), '/unsubscribe/1', '/unsubscribe/..']) {
      expect((await press(wrong)).status).toBe(404)
    }
    const put = await fetch(new URL(address, server.origin), { method: 'DELETE' })
    expect(put.status).toBe(405)
    expect(await isOn()).toBe(true)
    expect((await stage.run('getMailPreferences', { as: stage.otto })).body).toEqual({ newApplications: true })
  })

  it('is turned off and on again on the profile; one that waits is not sent any more', async () => {
    const event = await stage.publish()
    await stage.applicant(event.id, someone('Bea'))
    const choose = async (newApplications: boolean) =>
      await stage.run('setMailPreferences', { as: stage.olivia, body: { newApplications } })
    expect((await choose(false)).body).toEqual({ newApplications: false })
    expect(await after(10)).toEqual([])
    await choose(true)
    await stage.applicant(event.id, someone('Bo'))
    expect(await after(10)).toHaveLength(1)
    const wrong = await stage.run('setMailPreferences', { as: stage.olivia, body: { newApplications: 'no' } })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_input'])
  })
})
