import type { Knex } from 'knex'
import type { ReportedError } from '#shared/admin/browser-error-calls.ts'
import { relation } from '../db/column-names.ts'
import type { BrowserErrorRow } from '../db/rows/operation-rows.ts'

const keptGroups = 500

/** One row for name, version and frames. Those seen longest ago make room. */
export async function countBrowserErrors(db: Knex, errors: readonly ReportedError[], now: Date): Promise<void> {
  const lines = errors.map((error) => ({ ...error, frames: error.frames.join('\n') }))
  const given = relation('g', lines, { name: 'text', version: 'text', screen: 'text', frames: 'text', times: 'int' })
  // In a fixed order, because two reports at once may deadlock.
  await db.raw(
    `insert into browser_errors as e (hash, name, version, screen, frames, times, first_at, last_at)
     select md5(concat_ws(' ', g.name, g.version, g.frames)) as hash,
       g.name, g.version, min(g.screen), g.frames, sum(g.times), ?, ?
     from ${given.sql} group by g.name, g.version, g.frames order by hash
     on conflict (hash) do update set
       times = e.times + excluded.times, screen = excluded.screen, last_at = greatest(e.last_at, excluded.last_at)`,
    [now, now, ...given.bindings],
  )
  await db.raw(
    `delete from browser_errors where hash in (
       select hash from browser_errors order by last_at desc, hash offset ? for update skip locked
     )`,
    [keptGroups],
  )
}

export async function listBrowserErrors(db: Knex, limit: number): Promise<BrowserErrorRow[]> {
  return await db('browser_errors')
    .orderBy([
      { column: 'lastAt', order: 'desc' },
      { column: 'hash', order: 'asc' },
    ])
    .limit(limit)
}
