import { beforeEach, expect, it } from 'vitest'
import { publishEverything } from '../app/nouns.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { eventBody, openPool } from '../testing/route-rig.ts'

const stage = setOrganizerStage()

let eventId: number

beforeEach(async () => {
  eventId = await createEvent()
})

const createEvent = async (changes: Record<string, unknown> = {}) => (await stage.publish(changes)).id
const apply = async (changes: Record<string, unknown> = {}, id = eventId) => await stage.apply(id, changes)
const applicant = async (changes: Record<string, unknown> = {}) => await stage.applicant(eventId, changes)

it('an event deleted while people apply and decisions arrive leaves nothing behind, and nobody gets an error of ours', async () => {
  await openPool(stage.db)
  for (let round = 0; round < 5; round += 1) {
    eventId = await createEvent()
    const ids = [await applicant({ email: 'ben@example.com' }), await applicant({ email: 'bo@example.com' })]
    const answers = await Promise.all([
      ...ids.map((id) => stage.decide(id, { status: 'approved' })),
      apply({ email: 'bea-1@example.com' }),
      stage.run('deleteEvent', { as: stage.olivia, params: { id: eventId } }),
      apply({ email: 'bea-2@example.com' }),
      stage.run('updateEvent', { as: stage.olivia, params: { id: eventId }, body: eventBody({ name: 'Renamed' }) }),
    ])
    expect(answers.filter(({ status }) => ![200, 201, 204, 404].includes(status)).map(({ text }) => text)).toEqual([])
    const left = await stage
      .db('sync_log')
      .where({ deleted: false })
      .whereRaw(`((body::jsonb->>'eventId')::bigint = ? or (collection = 'events' and doc_id = ?))`, [
        eventId,
        String(eventId),
      ])
    expect(left).toEqual([])
  }
})

it('nothing an organizer keeps about an applicant reaches the public, in answers or in the feed', async () => {
  const canary = {
    email: 'canary-mail@example.com',
    phone: '555-canary',
    expertise: 'canary-expertise',
    whyBeacon: 'canary-why',
    networkingStyle: 'canary-style',
  }
  await stage
    .db('events')
    .where({ id: eventId })
    .update({ customQuestions: JSON.stringify(['Q']) })
  const { id, token } = (await apply({ ...canary, customAnswers: [{ question: 'Q', answer: 'canary-answer' }] })).body
  await stage.decide(id, { status: 'approved' })
  for (const note of ['canary-other', 'canary-note']) {
    const body = { note, noteOver: null, starred: true, present: true }
    await stage.run('markApplication', { as: stage.olivia, params: { beaconId: id }, body })
  }
  const texts = [
    (await stage.run('listBeacons', { params: { id: eventId } })).text,
    (await stage.run('listEvents')).text,
    (await stage.run('getEvent', { params: { id: eventId } })).text,
    ...(await stage.db('sync_log').where({ scope: 'public' }).select('body')).map(({ body }) => body),
    ...(await stage.db('jobs').select('payload')).map(({ payload }) => JSON.stringify(payload)),
  ]
  expect(texts.join('\n')).not.toMatch(/canary|starred|arrivedAt|otherNotes|decisions/)
  const own = await stage.run('getOwnApplication', { applicationToken: token })
  expect(own.text, 'nor the applicant').not.toMatch(/canary-other|canary-note|starred|arrivedAt/)
  expect((await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).text).toMatch(
    /canary-mail.*canary-answer/,
  )
  expect((await stage.run('listBeacons', { params: { id: 999_999 } })).status).toBe(404)
})

it('publishing everything again gives each audience the documents it already had', async () => {
  const id = await applicant()
  await stage.decide(id, { status: 'approved' })
  await applicant({ email: 'bo@example.com' })
  const documents = async () => {
    const rows = await stage.db('sync_log').where({ deleted: false }).orderBy(['scope', 'collection', 'docId'])
    const ours = rows.filter(
      ({ scope, collection, docId }) =>
        [`org:${stage.olivia.userId}`, `account:${stage.olivia.userId}`].includes(scope) ||
        [`events ${eventId}`, `beacons ${id}`].includes(`${collection} ${docId}`),
    )
    return ours.map(({ scope, collection, docId, body }) => ({
      scope,
      collection,
      docId,
      document: JSON.parse(body!),
    }))
  }
  const before = await documents()
  expect(before.map(({ collection }) => collection)).toEqual([
    'account',
    'applications',
    'applications',
    'events',
    'beacons',
    'events',
  ])
  await stage.db('sync_log').del()
  await stage.db.transaction((trx) => publishEverything(trx))
  expect(await documents()).toEqual(before)
})
