import { expect, it } from 'vitest'
import { setTestServer } from '../testing/test-server.ts'

const server = await setTestServer()
const ada = await server.addMember('Ada', { isAdmin: true })
const olivia = await server.addMember('Olivia')

const fair = { code: 'fair-2030', description: 'Book fair', percent: 100, lastDay: '2030-05-01', maxUses: 2 }
const create = async (changes: object = {}) => await ada.call('createPromoCode', { body: { ...fair, ...changes } })
const check = async (code: string) => (await olivia.call('validatePromoCode', { body: { code } })).body

it('a code is created once, used, listed with who used it, and stopped', async () => {
  const made = await create()
  expect([made.status, made.body.code, made.body.validUntil]).toEqual([201, 'FAIR-2030', '2030-05-01T23:59:59.999Z'])
  expect((await create()).body.id, 'the same again').toBe(made.body.id)
  const other = await create({ percent: 50 })
  expect([other.status, other.body.fields]).toEqual([409, { code: 'This code already exists' }])

  expect((await check('fair-2030')).valid).toBe(true)
  expect((await olivia.call('createSubscription', { body: { planId: 1, promoCode: 'FAIR-2030' } })).status).toBe(200)
  const [listed] = (await ada.call('listPromoCodes')).body
  expect(listed).toMatchObject({ code: 'FAIR-2030', uses: 1, maxUses: 2, isActive: true })
  expect(listed.usedBy.map(({ username }: { username: string }) => username)).toEqual(['Olivia'])

  const again = await create({ code: 'again' })
  for (const promoCode of [undefined, 'AGAIN'])
    await olivia.call('createSubscription', { body: { planId: 3, ...(promoCode ? { promoCode } : {}) } })
  const codes = (await ada.call('listPromoCodes')).body as { id: number; uses: number; usedBy: unknown[] }[]
  const extended = codes.find(({ id }) => id === again.body.id)
  expect([extended?.uses, extended?.usedBy.length], 'a running plan was extended').toEqual([1, 1])

  const stopped = await ada.call('stopPromoCode', { params: { id: made.body.id } })
  expect([stopped.status, stopped.body.isActive]).toEqual([200, false])
  expect((await check('fair-2030')).valid).toBe(false)
})

it.each([
  [{ code: 'a b' }, 'code'],
  [{ percent: 0 }, 'percent'],
  [{ percent: 12.5 }, 'percent'],
  [{ lastDay: '2020-01-01' }, 'lastDay'],
  [{ maxUses: 0 }, 'maxUses'],
])('%j is refused at its field', async (changes, field) => {
  const { status, body } = await create({ code: 'other', ...changes })
  expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
})
