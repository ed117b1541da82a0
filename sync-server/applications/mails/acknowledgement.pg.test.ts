import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { postOrigin, setOrganizerPost } from '../../testing/mail/mail-post.ts'
import { headerOf } from '../../testing/mail/mime.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { applicationBody } from '../../testing/route-rig.ts'

const stage = await setOrganizerStage()
const post = await setOrganizerPost(stage)

it('whoever applies is told once, with their own link and without a word of what was typed', async () => {
  const { id: eventId } = await stage.publish({ name: 'Harbor Mixer' })
  const typed = {
    firstName: 'Buy now',
    lastName: 'at evil.example',
    email: 'bea@example.com',
    company: 'Evilcorp',
    whyBeacon: 'see https://evil.example',
    bio: 'Cheap watches',
  }
  const call = { params: { eventId }, body: applicationBody(typed), key: randomUUID() }
  const { body: applied } = await stage.run('applyAsBeacon', call)
  await stage.run('applyAsBeacon', call)
  expect((await stage.apply(eventId, typed)).body.code).toBe('duplicate_application')
  const [mail, ...more] = await post.after(0)
  expect([mail?.to, more]).toEqual([['bea@example.com'], []])
  const { mime, subject, raw, text, html } = mail!
  expect([headerOf(mime, 'to'), subject]).toEqual(['bea@example.com', 'We have your application for Harbor Mixer'])
  expect(raw + text + html).not.toMatch(/evil|buy now|cheap/i)
  const link = new RegExp(`${postOrigin}/events/${eventId}/apply#application=(\\S+)`)
  const token = link.exec(text)?.[1] ?? ''
  expect(token).not.toBe(applied.token)
  for (const applicationToken of [token, applied.token]) {
    expect((await stage.run('getOwnApplication', { applicationToken })).body).toMatchObject({ id: applied.id })
  }
  expect((await stage.run('withdrawApplication', { body: { token } })).body).toMatchObject({ status: 'rejected' })
})

it('whoever withdraws before the mail has left gets none', async () => {
  const { id: eventId } = await stage.publish()
  const { body } = await stage.apply(eventId, { email: 'bo@example.com' })
  await stage.run('withdrawApplication', { body: { token: body.token } })
  expect(await post.after(0)).toEqual([])
})

it('whoever withdrew and fills the form in again gets the link, where one press applies again', async () => {
  const { id: eventId } = await stage.publish()
  const { body } = await stage.apply(eventId, { email: 'bo@example.com' })
  await stage.run('withdrawApplication', { body: { token: body.token } })
  await post.after(3_700_000)
  expect((await stage.apply(eventId, { email: 'bo@example.com' })).body.code).toBe('duplicate_application')
  const [mail, ...more] = await post.after(0)
  expect([mail?.to, more]).toEqual([['bo@example.com'], []])
  expect(mail?.text).toContain('you can apply again with one press on your own page')
  const token = /#application=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  expect((await stage.run('applyAgain', { body: { token } })).body).toMatchObject({ id: body.id, status: 'pending' })
})
