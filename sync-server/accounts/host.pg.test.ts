import { afterEach, expect, it } from 'vitest'
import { oliviaEmail, setAccountStage, tokenIn } from '../testing/account-stage.ts'
import { headerOf } from '../testing/mail/mime.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'

const stage = await setAccountStage()
afterEach(() => stage.db('events').del())

/** With the password, which only another contact address needs. */
const save = async (body: Record<string, unknown>) =>
  await stage.phone.call('setProfile', { body: { password: stage.olivia.password, ...body } })
const saveUnproven = async (body: Record<string, unknown>) => await stage.phone.call('setProfile', { body })
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

it('a contact address is shown and gets answers to mails once its reader opened the link', async () => {
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
  expect(after.text).toContain('Hosted by Olivia. Replies to this email reach them.')

  await save({ organizationName: null, contactEmail: '' })
  expect((await hostOf(id)).contactEmail).toBeNull()
})

async function askedMail(address: string): Promise<string | undefined> {
  await save({ organizationName: null, contactEmail: address })
  const mail = (await stage.post()).find(({ to }) => to[0] === address)
  return mail && tokenIn(mail)
}

it('the account’s confirmed address needs no second link; a new wish ends an older link', async () => {
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

it('an open session alone changes no contact address, and everything else', async () => {
  const id = await publish()
  await askedMail('hello@lantern.example').then((link) => confirm(link!))
  await stage.db('mails').del()
  for (const contactEmail of ['eve@evil.example', null, '', oliviaEmail]) {
    const { status, body } = await saveUnproven({ contactEmail })
    expect([status, Object.keys(body.fields)], String(contactEmail)).toEqual([403, ['password']])
    const guessed = await saveUnproven({ contactEmail, password: 'not hers' })
    expect([guessed.status, Object.keys(guessed.body.fields)]).toEqual([403, ['password']])
  }
  expect(await stage.db('mails').where({ kind: 'verify-email' })).toEqual([])
  const untouched = { organizationName: 'Lantern Street', contactEmail: 'hello@lantern.example' }
  expect((await saveUnproven(untouched)).status).toBe(200)
  expect(await hostOf(id)).toEqual({ name: 'Lantern Street', contactEmail: 'hello@lantern.example' })
})

it('a contact address that another device has just changed is kept without the password', async () => {
  await askedMail('hello@lantern.example').then((link) => confirm(link!))
  const other = await stage.db.transaction()
  await other('users').where({ id: stage.olivia.id }).update({ contactEmail: 'desk@lantern.example' })
  const saving = saveUnproven({ contactEmail: 'hello@lantern.example' })
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await stage.db.raw(waiting)).rows).toHaveLength(1)
  await other.commit()
  expect((await saving).body.code).toBe('conflict')
})

it('the account’s own mailbox hears of another contact address, when asked for and when set', async () => {
  await confirm(tokenIn((await stage.post())[0]!))
  const subjects = async () =>
    (await stage.post()).filter(({ to }) => to[0] === oliviaEmail).map(({ mime }) => headerOf(mime, 'subject'))
  await save({ contactEmail: 'hello@lantern.example' })
  const posted = await stage.post()
  const told = posted.filter(({ to }) => to[0] === oliviaEmail)
  expect(told.map(({ mime }) => headerOf(mime, 'subject'))).toEqual(['A new contact address was requested'])
  expect(told[0]!.raw).not.toContain('lantern.example')
  await confirm(tokenIn(posted.find(({ to }) => to[0] === 'hello@lantern.example')!))
  expect(await subjects()).toEqual(['Your contact address was changed'])
  await save({ contactEmail: oliviaEmail })
  expect(await subjects()).toEqual(['Your contact address was changed'])
  await save({ contactEmail: null })
  expect(await subjects()).toEqual(['Your contact address was changed'])
  await save({ organizationName: 'Lantern Street', contactEmail: null })
  expect(await subjects()).toEqual([])
})

it('a password reset takes back a contact address that is not the account’s', async () => {
  const id = await publish()
  await confirm(tokenIn((await stage.post())[0]!))
  const reset = async () => {
    await stage.server.call('requestPasswordReset', { body: { email: oliviaEmail } })
    const mail = (await stage.post()).find(({ text }) => text.includes('#reset='))!
    const body = { token: tokenIn(mail), password: stage.olivia.password }
    expect((await stage.phone.call('resetPassword', { body })).status).toBe(200)
  }
  await confirm((await askedMail('eve@evil.example'))!)
  expect((await hostOf(id)).contactEmail).toBe('eve@evil.example')
  await reset()
  expect((await hostOf(id)).contactEmail).toBeNull()
  const published = await stage.db('sync_log').where({ scope: 'public', docId: String(id) })
  expect(published.map(({ body }) => body).join()).not.toContain('evil')
  await save({ contactEmail: oliviaEmail })
  await reset()
  expect((await hostOf(id)).contactEmail).toBe(oliviaEmail)
})
