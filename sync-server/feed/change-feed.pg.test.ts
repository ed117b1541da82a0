import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sized } from '../testing/proof-size.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { recordChanges, type FeedScope } from './change-feed.ts'

const { db } = await setTestDatabase({ poolSize: 20 })

it('a reader beside sixteen writers sees each change in order, without a gap or deadlock', async () => {
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

  const start = (await db('sync_scope').where({ scope: 'public' }).first('version'))?.version ?? 0
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
