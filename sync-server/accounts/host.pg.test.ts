import { afterEach, expect, it } from 'vitest'
import { oliviaEmail, setAccountStage, tokenIn } from '../testing/account-stage.ts'
import { headerOf } from '../testing/mail/mime.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'

const stage = await setAccountStage()
afterEach(() => stage.db('events').del())

const save = async (body: Record<string, unknown>) => await stage.phone.call('setProfile', { body })
const confirm = async (token: string) => await stage.server.call('confirmEmail', { body: { token } })

async function publish(): Promise<number> {
  await stage.phone.call('createSubscription', { body: { planId: 3 } })
  const { body } = await stage.phone.call('createEvent', { body: eventBody() })
  return body.id
}
const hostOf = async (id: number) => (await stage.server.call('getEvent', { params: { id } })).body.organizer

async function mailToApplicant(eventId: number) {
  const body = applicationBody({ email: `bea.${Math.random()}@example.com` })
  expect((await stage.server.call('applyAsBeacon', { params: { eventId }, body })).status).toBe(201)
  return (await stage.post()).find(({ to }) => to[0] === body.email)!
}

it('an event names its host by username until the organizer names an organization', async () => {
  const id = await publish()
  expect(await hostOf(id)).toEqual({ name: 'Olivia', contactEmail: null })
  expect((await save({ organizationName: ' Lantern Street Events ', contactEmail: null })).status).toBe(200)
  expect(await hostOf(id)).toEqual({ name: 'Lantern Street Events', contactEmail: null })
  const [listed] = (await stage.server.call('listEvents')).body
  expect(listed.organizer.name).toBe('Lantern Street Events')
})

it('a username is changed alone, shows as the host, and is refused when another account has it', async () => {
  const id = await publish()
  await save({ organizationName: null, contactEmail: 'hello@lantern.example' })
  const asked = (await stage.post()).find(({ to }) => to[0] === 'hello@lantern.example')!
  await stage.server
    .client()
    .call('register', { body: { username: 'Otto', email: 'otto@example.com', password: 'lanterns' } })
  const taken = await save({ username: 'OTTO' })
  expect([taken.status, taken.body.fields]).toEqual([409, { username: 'This username is already taken' }])
  expect((await save({ username: ' Olivia of the Lanterns ' })).status).toBe(200)
  expect((await hostOf(id)).name).toBe('Olivia of the Lanterns')
  expect((await stage.phone.call('getUser')).body.username).toBe('Olivia of the Lanterns')
  expect((await confirm(tokenIn(asked))).status, 'the link to another address still works').toBe(200)
  expect((await save({ username: 'olivia of the lanterns' })).status, 'in other letters').toBe(200)
  expect((await save({ username: 'ab' })).status).toBe(400)
})

it('a contact address is shown, and gets the answers to mails, once its reader has opened the link', async () => {
  const id = await publish()
  await stage.post()
  const asked = await save({ organizationName: null, contactEmail: 'hello@lantern.example' })
  expect(asked.body.message).toContain('A link is on its way to hello@lantern.example')
  const before = await mailToApplicant(id)
  expect([await hostOf(id), headerOf(before.mime, 'reply-to')]).toEqual([
    { name: 'Olivia', contactEmail: null },
    undefined,
  ])
  expect(before.raw).not.toContain('lantern.example')

  const link = (await askedMail('hello@lantern.example'))!
  expect((await confirm(link)).body).toEqual({ purpose: 'contact', email: 'hello@lantern.example' })
  expect((await confirm(link)).status).toBe(200)
  expect(await hostOf(id)).toEqual({ name: 'Olivia', contactEmail: 'hello@lantern.example' })
  expect((await stage.phone.call('getUser')).body.contactEmail).toBe('hello@lantern.example')
  const after = await mailToApplicant(id)
  expect(headerOf(after.mime, 'reply-to')).toMatch(/^"?Olivia"? <hello@lantern\.example>$/)
  expect(after.text).toContain('Hosted by Olivia. An answer to this mail reaches them.')

  await save({ organizationName: null, contactEmail: '' })
  expect((await hostOf(id)).contactEmail).toBeNull()
})

async function askedMail(address: string): Promise<string | undefined> {
  await save({ organizationName: null, contactEmail: address })
  const mail = (await stage.post()).find(({ to }) => to[0] === address)
  return mail && tokenIn(mail)
}

it('the account’s own confirmed address needs no second link; an older link ends with a new wish', async () => {
  const [signUp] = await stage.post()
  await confirm(tokenIn(signUp!))
  const older = (await askedMail('first@lantern.example'))!
  expect((await save({ organizationName: null, contactEmail: oliviaEmail })).body.message).toBe(
    'Guests see it at once.',
  )
  expect((await stage.phone.call('getUser')).body.contactEmail).toBe(oliviaEmail)
  expect((await confirm(older)).status).toBe(410)
})

it('a name carries no address, header or link into pages and mails', async () => {
  const id = await publish()
  await stage.post()
  await save({ organizationName: 'Win at evil.example\r\nBcc: eve@evil.example', contactEmail: oliviaEmail })
  const host = await hostOf(id)
  expect(host.name).not.toMatch(/evil|\r|\n/)
  const mail = await mailToApplicant(id)
  expect(mail.to).toHaveLength(1)
  expect(mail.raw).not.toContain('evil')
})
