import { expect, it } from 'vitest'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { setTestServer } from '../testing/test-server.ts'

const dayMs = 86_400_000
const start = new Date('2026-11-02T10:00:00Z')
let now = start

const server = await setTestServer({ config: { contactEmail: 'ops@harbor.example' }, now: () => now })
const ada = await server.addMember('Ada', { isAdmin: true })

const site = async () => (await server.client().call('getSite')).body
const save = async (body: object) => await ada.call('saveSite', { body })

it('what an operator says of the site is shown to everyone until it is taken back', async () => {
  const shipped = { operator: null, supportEmail: 'ops@harbor.example', imprint: null, privacy: null, terms: null }
  expect(await site()).toEqual(shipped)
  const saved = await save({
    operator: ' Lantern Street e. V. ',
    supportEmail: 'help@harbor.example',
    terms: 'Be kind.',
  })
  const terms = { text: 'Be kind.', updatedDate: '2026-11-02' }
  expect(saved.body).toEqual({
    ...shipped,
    operator: 'Lantern Street e. V.',
    supportEmail: 'help@harbor.example',
    terms,
  })
  now = new Date(start.getTime() + dayMs)
  await save({ terms: 'Be kind.', imprint: '1 Pier' })
  expect(await site(), 'the same text keeps its date').toMatchObject({ terms, imprint: '1 Pier' })
  await save({ terms: 'Be kinder.' })
  expect((await site()).terms).toEqual({ text: 'Be kinder.', updatedDate: '2026-11-03' })
  await save({ operator: '', supportEmail: '', imprint: null })
  expect(await site()).toEqual({ ...shipped, terms: { text: 'Be kinder.', updatedDate: '2026-11-03' } })
  const refused = await save({ supportEmail: 'nowhere', privacy: 'x'.repeat(20_001) })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['supportEmail', 'privacy']])
})

it('an application keeps the day of the operator’s own terms as the version it agreed to', async () => {
  const olivia = await server.addOrganizer('Olivia')
  const { body: event } = await olivia.call('createEvent', { body: eventBody() })
  const apply = async (email: string) => {
    await server.client().call('applyAsBeacon', { params: { eventId: event.id }, body: applicationBody({ email }) })
    return (await server.db('applications').where({ email }).first('termsVersion'))?.termsVersion
  }
  await save({ terms: 'Be kindest.' })
  expect(await apply('bea@harbor.example')).toBe(now.toISOString().slice(0, 10))
  await save({ terms: null })
  expect(await apply('ben@harbor.example')).toBe('2026-11')
})

it('a plan gets another name, and a price in whole dollars', async () => {
  const body = { name: 'One Evening', description: 'For one.', dollars: 25 }
  expect((await ada.call('savePlan', { params: { id: 1 }, body })).status).toBe(204)
  const [plan] = (await server.client().call('listPlans')).body
  expect(plan).toMatchObject({ id: 1, eventLimit: 1, name: 'One Evening', description: 'For one.', price: 2500 })
  const { status } = await ada.call('savePlan', { params: { id: 1 }, body: { ...body, dollars: 25.5 } })
  expect(status).toBe(400)
})
