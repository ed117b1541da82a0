import { describe, expect, it } from 'vitest'
import { columnOf, toColumnNames, toCamelCase, nameOf } from './column-names.ts'

describe('a column', () => {
  it('is called one thing by us and another by PostgreSQL, also the second time, when that is remembered', () => {
    const called = {
      id: 'id',
      userId: 'user_id',
      absoluteExpiresAt: 'absolute_expires_at',
      p256dh: 'p256dh',
      p256Key: 'p256_key',
      line2: 'line2',
      aBC: 'a_b_c',
    }
    for (const [name, column] of [...Object.entries(called), ...Object.entries(called)])
      expect([columnOf(name), nameOf(column)]).toEqual([column, name])
  })

  it('of a name that is none of ours is left as it is, and so is the name of an alias', () => {
    for (const name of ['*', 'user_id', '"userId"', 'UserId', 'beaconry_test_0aF', 'a b', '', '_', 'data[0]'])
      expect(columnOf(name)).toBe(name)
    for (const name of ['?column?', 'activeUsers', 'line_2', '_id', 'a__b', 'user_']) expect(nameOf(name)).toBe(name)
  })
})

describe('rows', () => {
  it('are named by us and back, without a look into their values', () => {
    const at = new Date()
    const stored = [
      { user_id: 1, created_at: at, data: { device_id: 'a', deep: [{ in_there: 1 }] } },
      { user_id: null, created_at: at, data: null },
    ]
    const ours = toCamelCase(stored)
    expect(ours).toEqual([
      { userId: 1, createdAt: at, data: { device_id: 'a', deep: [{ in_there: 1 }] } },
      { userId: null, createdAt: at, data: null },
    ])
    expect(ours.map(toColumnNames)).toEqual(stored)
    expect(Object.keys(ours[0]!), 'in their order').toEqual(['userId', 'createdAt', 'data'])
  })

  it('are handed on as they are where there is nothing to rename', () => {
    const rows = [{ id: 1, data: { user_id: 1 } }]
    expect(toCamelCase(rows)).toBe(rows)
    expect(toCamelCase([])).toEqual([])
  })
})
