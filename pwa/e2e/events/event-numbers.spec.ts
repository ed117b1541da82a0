import { createEvent, fillInEvent } from './event-form.ts'
import { expect, olivia, signIn, test } from '../journey.ts'
import { paths } from '../../paths.ts'
import { sized } from '../../../sync-server/testing/proof-size.ts'

const patience = { timeout: 60_000 }
const inARow = sized(30, 3)

test('events created offline, pressed twice or edited, exist once under their ids', async ({ page, server, db }) => {
  test.setTimeout(300_000)
  await signIn(page, olivia)
  await server.kill()
  const shown = new Map<string, number>()
  for (let count = 1; count <= inARow; count += 1) {
    const name = `Without a network ${count}`
    shown.set(name, await createEvent(page, { name }))
  }
  expect(new Set(shown.values()).size).toBe(inARow)
  await page.goto(paths.createEvent)
  await fillInEvent(page, { name: 'Pressed twice' })
  await page.getByRole('button', { name: 'Create Event' }).evaluate((button) => {
    ;(button as HTMLElement).click()
    ;(button as HTMLElement).click()
  })
  await page.waitForURL(/\/events\/\d+\/customize$/)
  const edited = shown.get('Without a network 1')!
  for (const name of ['First edit', 'Second edit', 'Without a network 1']) {
    await page.goto(paths.editEvent(edited))
    await fillInEvent(page, { name })
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.waitForURL(`**${paths.dashboard}`)
  }
  expect(await db('events').where('name', 'like', 'Without a network%')).toEqual([])

  await server.start()
  const created = () => db('events').where('name', 'like', 'Without a network%').select('id', 'name', 'edition')
  await expect.poll(async () => (await created()).length, patience).toBe(inARow)
  await page.goto(paths.sync)
  await expect(page.getByRole('heading', { name: 'Everything is saved online.' })).toBeVisible(patience)
  const events = await created()
  expect(new Map(events.map(({ id, name }) => [name, id]))).toEqual(shown)
  expect(events.find(({ id }) => id === edited)?.edition, 'each edit was made').toBe(4)
  expect(await db('events').where({ name: 'Pressed twice' })).toHaveLength(1)
  expect(await db('audit_log').where({ route: 'createEvent', status: 201 })).toHaveLength(inARow + 1)
})
