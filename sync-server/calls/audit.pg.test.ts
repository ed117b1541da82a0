import { describe, expect, it } from 'vitest'
import { setTestDatabase } from '../testing/test-database.ts'
import { purgeExpired } from '../testing/purge-expired.ts'

const { db } = await setTestDatabase()

describe('the audit table', () => {
  it.each([
    ['change', 'update audit_log set status = 200'],
    ['delete', 'delete from audit_log'],
    ['empty', 'truncate audit_log'],
    ['empty together with others', 'truncate users cascade; truncate events, audit_log cascade'],
  ])('takes lines and lets nobody %s them', async (_, sql) => {
    const line = { userId: 1, deviceId: 'phone', route: 'deleteEvent', subject: '7', status: 204, requestId: 'r' }
    await db('audit_log').insert(line)
    const before = await db('audit_log').orderBy('id')
    await expect(db.raw(sql)).rejects.toThrow('audit_log is append-only')
    expect(await db('audit_log').orderBy('id')).toEqual(before)
    expect(before.at(-1)).toMatchObject({ userId: 1, route: 'deleteEvent', status: 204 })
  })

  it('keeps a line for two years, whoever wants it gone, and then lets go of it', async () => {
    const line = { route: 'deleteEvent', status: 204, requestId: 'r' }
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    await db('audit_log').insert([
      { ...line, subject: 'old', at: daysAgo(733) },
      { ...line, subject: 'young', at: daysAgo(729) },
    ])
    await expect(db('audit_log').whereIn('subject', ['old', 'young']).del()).rejects.toThrow('audit_log is append-only')
    // A clock that is wrong, or told so, takes nothing that is younger.
    await expect(purgeExpired(db, new Date(Date.now() + 400 * 86_400_000))).rejects.toThrow('audit_log is append-only')
    expect(await purgeExpired(db, new Date())).toMatchObject({ auditLines: 1 })
    expect(await db('audit_log').whereIn('subject', ['old', 'young']).select('subject')).toEqual([{ subject: 'young' }])
  })
})
