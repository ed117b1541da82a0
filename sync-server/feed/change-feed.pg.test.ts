import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sized } from '../testing/proof-size.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { findFeedText, listFeedTexts, recordChanges, scopeVersion, type Change, type FeedScope } from './change-feed.ts'

const { db } = await setTestDatabase({ poolSize: 20 })

const event = (scope: FeedScope, id: number, document: object | null): Change => ({
  scope,
  collection: 'events',
  docId: String(id),
  document,
})

describe('the change feed', () => {
  it('gives each document of a transaction a version of its own, in the order written, per scope', async () => {
    const versions = await db.transaction((trx) =>
      recordChanges(trx, [
        event('public', 1, { id: 1 }),
        event('org:1', 1, { id: 1, a: 1 }),
        event('org:1', 2, { id: 2 }),
        event('account:1', 1, { id: 1 }),
      ]),
    )
    expect(Object.fromEntries(versions)).toEqual({ public: 1, 'org:1': 2, 'account:1': 1 })
    const rows = await db('sync_log').where({ scope: 'org:1' }).orderBy('version').select('docId', 'version', 'body')
    expect(rows).toEqual([
      { docId: '1', version: 1, body: '{"id":1,"a":1}' },
      { docId: '2', version: 2, body: '{"id":2}' },
    ])
  })

  it('keeps one row per document: the newest text, or a tombstone without any', async () => {
    await db.transaction((trx) =>
      recordChanges(trx, [event('org:2', 1, { id: 1, old: true }), event('org:2', 1, { id: 1 })]),
    )
    await db.transaction((trx) => recordChanges(trx, [event('org:2', 2, { id: 2 })]))
    await db.transaction((trx) => recordChanges(trx, [event('org:2', 1, null)]))
    const rows = await db('sync_log')
      .where({ scope: 'org:2' })
      .orderBy('version')
      .select('docId', 'version', 'deleted', 'body')
    expect(rows).toEqual([
      { docId: '2', version: 2, deleted: false, body: '{"id":2}' },
      { docId: '1', version: 3, deleted: true, body: null },
    ])
    expect(await findFeedText(db, 'org:2', 'events', '1')).toBeUndefined()
    expect(await findFeedText(db, 'org:2', 'events', '2')).toBe('{"id":2}')
  })

  it('lists texts in the order asked for and leaves out what the audience does not see', async () => {
    await db.transaction((trx) =>
      recordChanges(trx, [event('org:3', 9, { id: 9 }), event('org:3', 10, { id: 10 }), event('org:3', 11, null)]),
    )
    expect(await listFeedTexts(db, 'org:3', 'events')).toEqual(['{"id":9}', '{"id":10}'])
    expect(await listFeedTexts(db, 'org:3', 'events', ['11', '10', '9', '8'])).toEqual(['{"id":10}', '{"id":9}'])
  })

  it('takes no version when the transaction is undone', async () => {
    await db.transaction((trx) => recordChanges(trx, [event('org:4', 1, { id: 1 })]))
    const undone = db.transaction(async (trx) => {
      await recordChanges(trx, [event('org:4', 2, { id: 2 })])
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await scopeVersion(db, 'org:4')).toBe(1)
  })

  it('refuses an id that cannot stand in JSON as it is', async () => {
    const strange = { scope: 'org:4', collection: 'events', docId: '1","x":"', document: {} } as const
    await expect(db.transaction((trx) => recordChanges(trx, [strange]))).rejects.toThrow('unusable id')
  })
})

describe('sixteen writers, some of them slow, and a reader that may miss nothing', () => {
  it('shows the reader every change exactly as versions grow, without a gap and without a deadlock', async () => {
    const writers = 16
    const rounds = sized(40, 12)
    const scopes: FeedScope[] = ['account:50', 'org:50', 'org:51', 'public']
    const written = new Map<FeedScope, Set<string>>(scopes.map((scope) => [scope, new Set()]))
    let slow = 0
    let running = true

    async function write(writer: number): Promise<void> {
      for (let round = 0; round < rounds; round++) {
        const docId = `${writer}-${round}`
        // Each transaction names its scopes in another order: the feed must lock them in its own.
        const chosen = scopes
          .filter((_, index) => (writer + round + index) % 3 !== 0)
          .sort(() => ((writer + round) % 2 === 0 ? 1 : -1))
        await db.transaction(async (trx) => {
          await recordChanges(
            trx,
            chosen.map((scope) => ({ scope, collection: 'events', docId, document: { writer, round } })),
          )
          // Slow between the change and its commit, where a sequence or a clock as checkpoint would lose others' rows.
          if ((writer * rounds + round) % sized(33, 11) === 0) {
            slow++
            await pause(30)
          }
        })
        for (const scope of chosen) written.get(scope)?.add(docId)
      }
    }

    const start = await scopeVersion(db, 'public')
    async function read(scope: FeedScope): Promise<Map<number, string>> {
      const seen = new Map<number, string>()
      let checkpoint = scope === 'public' ? start : 0
      let last = false
      for (;;) {
        const rows = await db('sync_log')
          .where({ scope })
          .where('version', '>', checkpoint)
          .orderBy('version')
          .limit(7)
          .select('docId', 'version')
        for (const row of rows) {
          seen.set(row.version, row.docId)
          checkpoint = row.version
        }
        if (rows.length > 0) continue
        if (last) return seen
        last = !running
      }
    }

    const readers = scopes.map((scope) => read(scope))
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    running = false
    const seen = await Promise.all(readers)

    expect(slow).toBeGreaterThan(writers)
    scopes.forEach((scope, index) => {
      const versions = [...(seen[index] ?? new Map<number, string>()).keys()]
      const first = scope === 'public' ? start + 1 : 1
      expect(versions, scope).toEqual(Array.from({ length: written.get(scope)?.size ?? 0 }, (_, n) => first + n))
      expect(new Set(seen[index]?.values()), scope).toEqual(written.get(scope))
    })
    expect(written.get('public')?.size).toBeGreaterThan(writers * rounds * 0.5)
  })
})
