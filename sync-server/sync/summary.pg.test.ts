import { expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { eventBody } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()

const summary = async (eventId: number, as = stage.olivia) =>
  await stage.run('getSyncSummary', { as, query: { eventId: String(eventId) } })

it('a summary has the versions that a pull ends with, and counts applications by status', async () => {
  const { id } = await stage.publish()
  const bea = await stage.applicant(id)
  await stage.applicant(id, { firstName: 'Ben', email: 'ben@example.com' })
  await stage.decide(bea, { status: 'approved' })
  const { body: pulled } = await stage.run('pull', { as: stage.olivia, query: { scope: 'org' } })
  const { status, body } = await summary(id)
  expect(status).toBe(200)
  expect(body).toEqual({
    epoch: pulled.epoch,
    version: pulled.head,
    eventVersion: pulled.documents.find(({ collection, key }) => collection === 'events' && key === String(id))
      ?.version,
    applications: { pending: 1, approved: 1, rejected: 0 },
  })
})

it('a summary moves with an edit of the event and leaves archived applications out', async () => {
  const { id } = await stage.publish()
  await stage.applicant(id)
  const { body: before } = await summary(id)
  const body = eventBody({ name: 'Harbor Night' })
  await stage.run('updateEvent', { as: stage.olivia, params: { id }, body })
  await stage.db('applications').update({ archived: true })
  const { body: after } = await summary(id)
  expect(after.eventVersion).toBeGreaterThan(before.eventVersion)
  expect(after.applications).toEqual({ pending: 0, approved: 0, rejected: 0 })
})
