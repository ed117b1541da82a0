import { beforeEach, describe, expect, it } from 'vitest'
import { postOrigin, setOrganizerPost } from '../../testing/mail/mail-post.ts'
import { headerOf } from '../../testing/mail/mime.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { correctedBody } from '../../testing/route-rig.ts'

const stage = await setOrganizerStage()
const post = await setOrganizerPost(stage)
let eventId: number
beforeEach(async () => {
  eventId = (await stage.publish()).id
})

const minuteMs = 60_000
/** Lets minutes pass and answers what came to the organizer since. */
const after = async (minutes: number) =>
  (await post.after(minutes * minuteMs)).filter(({ to }) => to[0] === stage.olivia.email)
const canary = (number: number) => ({ firstName: 'Canary', email: `canary${number}@canary.example` })
async function approved(number: number): Promise<{ id: number; token: string }> {
  const { id, token } = (await stage.apply(eventId, canary(number))).body
  await stage.decide(id, { status: 'approved' })
  return { id, token }
}
const withdraw = async (token: string) =>
  expect((await stage.run('withdrawApplication', { body: { token } })).status).toBe(200)

describe('an organizer whom no device alerts', () => {
  it('gets one mail for all Beacons who withdraw within ten minutes, without a word of theirs', async () => {
    const [one, other] = [await approved(1), await approved(2)]
    await after(20)
    await withdraw(one.token)
    expect(await after(6)).toEqual([])
    await withdraw(other.token)
    const [mail, ...more] = await after(4)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('2 Beacons have withdrawn from Harbor Mixer')
    expect(mail?.text).toContain(`See the Beacons: ${postOrigin}/events/manage/${eventId}`)
    expect(headerOf(mail!.mime, 'list-unsubscribe')).toMatch(/^<https:\/\/beaconry\.example\/unsubscribe\//)
    expect(mail?.raw).not.toMatch(/canary/i)
    expect(await after(60)).toEqual([])
  })

  it('gets a mail about a Beacon who can’t come', async () => {
    const { token } = await approved(1)
    await after(20)
    await stage.run('sayComing', { body: { token, coming: false } })
    const [mail] = await after(10)
    expect(mail?.subject).toBe('A Beacon can’t come to Harbor Mixer')
    expect(mail?.text).toContain('A Beacon says they can’t come to Harbor Mixer.')
    expect(mail?.raw).not.toMatch(/canary/i)
  })

  it('hears only of those who still can’t come when the mail leaves, if anybody', async () => {
    const say = async (token: string, coming: boolean) =>
      expect((await stage.run('sayComing', { body: { token, coming } })).status).toBe(200)
    const [one, other] = [await approved(1), await approved(2)]
    await after(20)
    for (const { token } of [one, other]) await say(token, false)
    await say(one.token, true)
    expect((await after(10)).map(({ subject }) => subject)).toEqual(['A Beacon can’t come to Harbor Mixer'])
    await say(one.token, false)
    await say(one.token, true)
    expect(await after(20)).toEqual([])
  })

  it('gets a mail about somebody who applies again after a withdrawal', async () => {
    const { body } = await stage.apply(eventId, canary(1))
    await after(20)
    for (const change of ['withdrawApplication', 'applyAgain', 'applyAgain'] as const)
      expect((await stage.run(change, { body: { token: body.token } })).status).toBe(200)
    const [mail, ...more] = await after(10)
    expect([mail?.subject, more]).toEqual(['One person has applied again for Harbor Mixer', []])
    expect(mail?.text).toContain('It waits for your answer.')
    expect(mail?.raw).not.toMatch(/canary/i)
  })

  it('gets one mail when a Beacon changes what guests read, and later withdraws', async () => {
    const one = await approved(1)
    await after(20)
    const fields = correctedBody({ ...canary(1), bio: 'canary-bio' })
    await stage.run('correctApplication', { body: { token: one.token, ...fields } })
    await withdraw(one.token)
    const [mail, ...more] = await after(10)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('A Beacon has withdrawn from Harbor Mixer')
    expect(mail?.text).toContain('A Beacon has changed what guests read about them')
    expect(mail?.raw).not.toMatch(/canary/i)
  })
})
