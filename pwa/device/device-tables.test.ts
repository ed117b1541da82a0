import Dexie from 'dexie'
import { expect, it } from 'vitest'
import { asSetting } from './device-db.ts'

it('an application that was kept before an update is read after it', async () => {
  const before = new Dexie('beaconry-device')
  before.version(1).stores({ settings: 'name', drafts: 'key' })
  const asOf = '2026-11-26T12:00:00Z'
  await before.table('settings').bulkPut([
    { name: 'own-application/abc', value: { application: { id: 7 }, asOf } },
    { name: 'theme', value: 'dark' },
  ])
  before.close()
  expect(await asSetting('own-application/abc').read?.()).toEqual({ value: { id: 7 }, asOf })
})
