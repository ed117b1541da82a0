import { describe, expect, it } from 'vitest'
import { headers } from '#shared/contract/request.ts'
import type { Role } from '#shared/contract/roles.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { setTestServer, type Member } from '../testing/test-server.ts'
import { deleteAccount } from '../personal-data/delete-account.ts'

const clock = new Date()
const server = await setTestServer({ now: () => clock })
const olivia = await server.addOrganizer('Olivia', { deviceName: 'Olivia’s phone' })
const acting = { [headers.organizer]: String(olivia.userId) }

const people: Record<string, Member> = {}
async function join(role: Role, name = `${role}-${Object.keys(people).length}`): Promise<Member> {
  const member = (people[name] = await server.addMember(name, { deviceName: 'Pixel 8' }))
  const { token } = await olivia.ok('inviteToTeam', { body: { role } })
  await member.ok('joinTeam', { body: { token } })
  return member
}

const private_ = ['canary@example.com', '+1 555 0123', 'canary answer', 'canary note', 'CANARY-CODE', 'canary how-to']

/** An event with one approved Beacon, Bea, and somebody who waits; full of what the door may not see. */
async function makeEvent(waiting = 'Paul') {
  const { id: eventId } = await olivia.ok('createEvent', {
    body: eventBody({ promoCode: 'CANARY-CODE', beaconInstructions: 'canary how-to', posts: 'Bar\nDoor' }),
  })
  const apply = async (firstName: string) => {
    const body = applicationBody({
      firstName,
      email: `${firstName}.canary@example.com`,
      phone: '+1 555 0123',
      company: 'Moss & Sons',
      whyBeacon: 'canary answer',
    })
    return (await server.client().ok('applyAsBeacon', { params: { eventId }, body })).id as number
  }
  const [bea, paul] = [await apply('Bea'), await apply(waiting)]
  await olivia.ok('decideApplication', { params: { beaconId: bea }, body: { status: 'approved' } })
  await olivia.ok('markApplication', { params: { beaconId: bea }, body: { note: 'canary note' } })
  return { eventId, bea, paul }
}

const teamsOf = async (member: Member) =>
  (await member.ok('pull', { query: { scope: 'account' } })).documents[0].teams as readonly {
    name: string
    role: string
  }[]

describe('an invitation', () => {
  it('works once, and says who invites as what before it is accepted', async () => {
    const { token, role } = await olivia.ok('inviteToTeam', { body: { role: 'reviewer' } })
    expect(await server.client().ok('readInvitation', { body: { token } })).toMatchObject({ name: 'Olivia', role })
    const [nora, otto] = [await server.addMember('Nora'), await server.addMember('Otto')]
    const answers = await Promise.all([nora, otto].map((one) => one.call('joinTeam', { body: { token } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await olivia.ok('getTeam')).members.map((one: { role: string }) => one.role)).toEqual(['reviewer'])
  })

  it('ends after seven days, and when it is withdrawn', async () => {
    const late = await olivia.ok('inviteToTeam', { body: { role: 'door' } })
    const withdrawn = await olivia.ok('inviteToTeam', { body: { role: 'door' } })
    await olivia.ok('withdrawInvitation', { params: { id: withdrawn.id } })
    const member = await server.addMember('Late')
    expect((await member.call('joinTeam', { body: { token: withdrawn.token } })).status).toBe(404)
    expect(Date.parse(late.expiresAt) - clock.getTime()).toBe(7 * 86_400_000)
    await server.db('team_invitations').where({ id: late.id }).update({ expiresAt: clock })
    expect((await member.call('joinTeam', { body: { token: late.token } })).status).toBe(404)
    expect((await olivia.ok('getTeam')).invitations).toEqual([])
  })

  it('of one’s own team, or of a stranger’s number, is refused', async () => {
    const { id, token } = await olivia.ok('inviteToTeam', { body: { role: 'door' } })
    expect((await olivia.call('joinTeam', { body: { token } })).body.code).toBe('not_allowed_now')
    const stranger = await server.addMember('Stranger')
    await stranger.ok('withdrawInvitation', { params: { id } })
    expect((await olivia.ok('getTeam')).invitations).toHaveLength(1)
  })
})

describe('a member of a team', () => {
  it('reads of each membership in their account’s document, until it ends', async () => {
    const member = await join('reviewer')
    expect(await teamsOf(member)).toMatchObject([{ name: 'Olivia', role: 'reviewer' }])
    await olivia.ok('setTeamRole', { params: { id: member.userId }, body: { role: 'manager' } })
    await olivia.ok('setProfile', { body: { organizationName: 'Lantern Street' } })
    expect(await teamsOf(member)).toMatchObject([{ name: 'Lantern Street', role: 'manager' }])
    await member.ok('leaveTeam', { params: { id: olivia.userId } })
    expect(await teamsOf(member)).toEqual([])
  })

  it('reads of several memberships in the order of every other list of names', async () => {
    const member = await server.addMember('Shared')
    for (const organizationName of ['O’Neil Hall', 'Oakland Hall']) {
      const host = await server.addMember(`host-${organizationName.length}`)
      await host.ok('setProfile', { body: { organizationName } })
      const { token } = await host.ok('inviteToTeam', { body: { role: 'door' } })
      await member.ok('joinTeam', { body: { token } })
    }
    expect((await teamsOf(member)).map(({ name }) => name)).toEqual(['Oakland Hall', 'O’Neil Hall'])
  })

  it('decides under their own name and device', async () => {
    const { bea, paul } = await makeEvent()
    const rita = await join('reviewer', 'Rita')
    await rita.ok('decideApplication', { params: { beaconId: paul }, body: { status: 'approved' }, headers: acting })
    const conflict = await olivia.ok('listDecisions', { params: { beaconId: paul } })
    expect(conflict).toMatchObject([{ to: 'approved', device: 'Pixel 8 (Rita)' }])
    await rita.ok('markApplication', { params: { beaconId: bea }, body: { note: 'Speaks Spanish' }, headers: acting })
    await olivia.ok('markApplication', { params: { beaconId: bea }, body: { note: 'Late', noteOver: null } })
    const { documents } = await olivia.ok('pull', { query: { scope: 'org' } })
    const shown = documents.find((one: { key: string }) => one.key === String(bea))
    expect(shown.otherNotes).toMatchObject([{ note: 'Speaks Spanish', device: 'Pixel 8 (Rita)' }])
  })

  it('uses the organizer’s plan for a new event, which is the organizer’s', async () => {
    const mara = await join('manager', 'Mara')
    const { organizerId } = await mara.ok('createEvent', { body: eventBody(), headers: acting })
    expect(organizerId).toBe(olivia.userId)
    expect((await mara.call('createEvent', { body: eventBody() })).status, 'Mara has no plan').toBe(402)
    await server.db('user_subscriptions').update({ status: 'cancelled' })
    const { body } = await mara.call('createEvent', { body: eventBody(), headers: acting })
    expect(body.message).toBe('The organizer’s plan does not allow another event.')
    await server.db('user_subscriptions').update({ status: 'active' })
  })

  it('hears of changes on the live stream, which ends with the membership', async () => {
    const member = await join('reviewer')
    const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const stream = await fetch(new URL('/api/sync/stream', server.origin), { headers: { cookie, ...acting } })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const readUntil = async (wanted: string | undefined) => {
      for (;;) {
        const { value, done } = await reader.read()
        text += value ?? ''
        if (done || (wanted && text.includes(wanted))) return done
      }
    }
    await readUntil('"account"')
    const { eventId } = await makeEvent()
    const { version } = await olivia.ok('getSyncSummary', { query: { eventId } })
    expect(await readUntil(`{"scope":"org","version":${version}}`)).toBe(false)
    await olivia.ok('removeFromTeam', { params: { id: member.userId } })
    expect(await readUntil(undefined)).toBe(true)
  })

  it('who was removed is refused every queued change with the reason', async () => {
    const { paul } = await makeEvent()
    const member = await join('reviewer')
    await olivia.ok('removeFromTeam', { params: { id: member.userId } })
    const entry = { key: crypto.randomUUID(), route: 'decideApplication', lane: `application:${paul}` }
    const { body } = await member.call('replayMutations', {
      body: {
        account: member.userId,
        entries: [{ ...entry, params: { beaconId: paul }, body: { status: 'approved' } }],
      },
      headers: acting,
    })
    expect(body).toMatchObject([{ status: 403, body: { code: 'not_on_team' } }])
    expect((await member.call('pull', { query: { scope: 'org' }, headers: acting })).body.code).toBe('not_on_team')
  })

  it('loses the team with the organizer’s account, and the team loses a deleted member', async () => {
    const host = await server.addMember('Host')
    const member = await server.addMember('Helper')
    const { token } = await host.ok('inviteToTeam', { body: { role: 'door' } })
    await member.ok('joinTeam', { body: { token } })
    const leaving = await server.addMember('Leaving')
    const second = await host.ok('inviteToTeam', { body: { role: 'door' } })
    await leaving.ok('joinTeam', { body: { token: second.token } })
    const remove = async (userId: number) =>
      await server.db.transaction((trx) => deleteAccount(trx, userId, { now: clock, tellApplicants: false }))
    await remove(leaving.userId)
    expect((await host.ok('getTeam')).members).toHaveLength(1)
    await remove(host.userId)
    expect(await teamsOf(member)).toEqual([])
  })
})

describe('somebody at the door', () => {
  it('gets approved Beacons by name, company and post, and nothing else of anybody', async () => {
    const { eventId, bea, paul } = await makeEvent('Quentin')
    const dora = await join('door', 'Dora')
    const everything: string[] = []
    const pullAll = async (checkpoint?: string) => {
      const query = { scope: 'org', ...(checkpoint === undefined ? {} : { checkpoint }) }
      const { body, text } = await dora.call('pull', { query, headers: acting })
      everything.push(text)
      return body
    }
    const { documents, checkpoint } = await pullAll()
    const found = (collection: string, id: number) =>
      documents.find(
        (one: { collection: string; key: string }) => one.collection === collection && one.key === String(id),
      )
    expect(found('applications', bea)).toMatchObject({
      firstName: 'Bea',
      company: 'Moss & Sons',
      email: '',
      note: null,
    })
    expect(found('applications', paul)).toEqual({
      collection: 'applications',
      key: String(paul),
      version: expect.any(Number),
      _deleted: true,
    })
    expect(found('events', eventId)).toMatchObject({ posts: 'Bar\nDoor', promoCode: null, beaconInstructions: null })

    const key = crypto.randomUUID()
    const mark = { params: { beaconId: bea }, body: { post: 'Bar', present: true }, headers: acting, key }
    for (const answer of [await dora.call('markApplication', mark), await dora.call('markApplication', mark)]) {
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ post: 'Bar', email: '' })
      everything.push(answer.text)
    }
    const walkIn = { params: { id: eventId }, headers: acting }
    const body = { firstName: 'Wanda', lastName: 'Walker', seenAt: clock.toISOString() }
    everything.push((await dora.call('addWalkIn', { ...walkIn, body })).text)
    const known = { ...body, email: 'quentin.canary@example.com' }
    const refused = await dora.call('addWalkIn', { ...walkIn, body: known })
    expect([refused.status, refused.body.message]).toEqual([409, expect.not.stringContaining('Quentin')])
    everything.push(refused.text)
    for (const [beaconId, status] of [
      [bea, 403],
      [paul, 404],
    ] as const) {
      const note = { params: { beaconId }, body: { note: 'Mine' }, headers: acting }
      const answer = await dora.call('markApplication', note)
      expect(answer.status).toBe(status)
      everything.push(answer.text)
    }
    await olivia.ok('decideApplication', { params: { beaconId: bea }, body: { status: 'rejected' } })
    const { documents: later } = await pullAll(checkpoint)
    expect(later.find((one: { key: string }) => one.key === String(bea))).toMatchObject({ _deleted: true })
    for (const secret of private_) expect(everything.join('\n')).not.toContain(secret)
    expect(everything.join('\n')).not.toContain('Quentin')
  })
})
