import { expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { newId } from '#shared/record/new-id.ts'
import { applicationBody, correctedBody } from '../testing/route-rig.ts'
import { ownPagePath } from './application-token.ts'

const stage = await setOrganizerStage()

/** The token in the link that a mail to the applicant carries. */
async function mailedTo(id: number): Promise<string> {
  const row = await stage.db('applications').where({ id }).first()
  return (await ownPagePath(stage.db, row!)).split('#application=')[1]!
}

/** What reading, correcting, withdrawing and deleting answer to the token. */
async function statusesWith(token: string): Promise<number[]> {
  const answers = [
    await stage.run('getOwnApplication', { applicationToken: token }),
    await stage.run('correctApplication', { body: { token, ...correctedBody({ bio: 'Not me.' }) } }),
    await stage.run('withdrawApplication', { body: { token } }),
    await stage.run('deleteOwnApplication', { body: { token } }),
  ]
  return answers.map(({ status }) => status)
}

const refusedAll = [404, 404, 404, 404]
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Every way in which base64 spells the same last bits, and one that means other bits. */
const withOtherEnds = (signature: string): string[] =>
  [...letters].filter((letter) => letter !== signature.at(-1)).map((letter) => signature.slice(0, -1) + letter)

function withOtherCase(signature: string): string {
  const at = signature.search(/[a-z]/i)
  const letter = signature[at]!
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return signature.slice(0, at) + other + signature.slice(at + 1)
}

it('a mailed link opens its own application alone, and only with its signature to the letter', async () => {
  const { id: eventId } = await stage.publish()
  const bea = await stage.applicant(eventId)
  const bo = await stage.applicant(eventId, { email: 'bo@example.com', firstName: 'Bo' })
  const token = await mailedTo(bea)
  const [, signature = '', mailbox = ''] = token.split('.')

  expect(await statusesWith(`${bo}.${signature}.${mailbox}`), 'with the id of another').toEqual(refusedAll)
  expect(await statusesWith(`${bo}.${signature}`), 'with the id of another, unmailed').toEqual(refusedAll)
  expect(await statusesWith(`${bea}.${withOtherCase(signature)}.${mailbox}`), 'in another case').toEqual(refusedAll)
  for (const changed of withOtherEnds(signature)) {
    const applicationToken = `${bea}.${changed}.${mailbox}`
    expect((await stage.run('getOwnApplication', { applicationToken })).status, changed).toBe(404)
  }
  const [nearest = ''] = withOtherEnds(signature)
  expect(await statusesWith(`${bea}.${nearest}.${mailbox}`), 'with another last letter').toEqual(refusedAll)

  const rows = await stage.db('applications').where({ eventId }).orderBy('id')
  expect(rows.map(({ bio, withdrawnAt }) => [bio, withdrawnAt])).toEqual(
    rows.map(() => ['I introduce people to each other.', null]),
  )
  expect(await statusesWith(token)).toEqual([200, 200, 200, 204])
  expect((await stage.db('applications').where({ eventId })).map(({ id }) => id)).toEqual([bo])
})

it('a mailed link opens nothing of another application that has its id after a restore', async () => {
  const { id: eventId } = await stage.publish()
  const id = newId()
  const apply = async (email: string) =>
    await stage.run('applyAsBeacon', { params: { eventId }, body: { ...applicationBody({ email }), id } })
  const { body: bea } = await apply('bea@example.com')
  const link = await mailedTo(id)
  await stage.run('deleteOwnApplication', { body: { token: bea.token } })
  expect(await statusesWith(link), 'once it is deleted').toEqual(refusedAll)
  expect((await apply('bo@example.com')).status).toBe(409)
  // The backup was made before the application, so the restored database knows nothing of it.
  await stage.db('used_ids').where({ kind: 'application', id }).del()
  expect((await apply('bo@example.com')).status).toBe(201)
  expect(await statusesWith(link), 'of another person').toEqual(refusedAll)
  expect(await statusesWith(bea.token), 'by the first token').toEqual(refusedAll)
  // The same mailbox does not make it the same application.
  await stage.db('applications').where({ id }).update({ email: 'bea@example.com' })
  expect(await statusesWith(link)).toEqual(refusedAll)
  expect((await statusesWith(await mailedTo(id)))[0]).toBe(200)
})
