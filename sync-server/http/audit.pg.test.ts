import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { writeAudit } from './audit.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe('the audit table', () => {
  it.each([
    ['change', 'update audit_log set status = 200'],
    ['delete', 'delete from audit_log'],
    ['empty', 'truncate audit_log'],
    ['empty together with others', 'truncate users cascade; truncate events, audit_log cascade'],
  ])('takes lines and lets nobody %s them', async (_, sql) => {
    const line = { userId: 1, deviceId: 'phone', route: 'deleteEvent', subject: '7', status: 204, requestId: 'r' }
    await database.db.transaction((trx) => writeAudit(trx, line))
    const before = await database.db('audit_log').orderBy('id')
    await expect(database.db.raw(sql)).rejects.toThrow('audit_log is append-only')
    expect(await database.db('audit_log').orderBy('id')).toEqual(before)
    expect(before.at(-1)).toMatchObject({ user_id: 1, route: 'deleteEvent', status: 204 })
  })
})
