import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { relation, type Relation } from '../db/column-names.ts'
import { recordChanges } from '../feed/change-feed.ts'
import { queueJobsFrom } from '../jobs/job-store.ts'
import type { Task, Tasks } from '../jobs/worker.ts'
import { presentForPublic } from './event-presenter.ts'
import { runPrepared } from '../db/prepared.ts'

export const openingKind = 'publish-opening'

/**
 * Gives parts of a larger statement's `with` for a transaction that changes how many Beacons events have: `opening_jobs`,
 * left to be queued by `queueJobsFrom`, tell the public a second later. Many transactions share one job. No change is
 * lost, whatever commits when. A transaction either queues a job of its own, which is invisible before the commit, or
 * holds a share of the row of one that waits. Workers pass over a row that is locked. So in both cases a job begins
 * after the transaction has ended, and counts what it has written. No clock takes part in that. A job that is due is
 * shared no more, because a crowd could hold it up for ever.
 */
export function openingsFrom(eventIds: readonly number[]): Relation {
  const given = relation(
    'g',
    [...new Set(eventIds)].map((eventId) => ({
      eventId,
      key: `${openingKind}:${eventId}:${randomUUID()}`,
      payload: JSON.stringify({ eventId }),
    })),
    { eventId: 'bigint', key: 'text', payload: 'jsonb' },
  )
  return {
    sql: `openings as (
      select * from ${given.sql}
    ), shared_openings as materialized (
      select o.event_id from openings o cross join lateral (
        select from jobs j where j.kind = '${openingKind}' and j.state = 'waiting' and j.run_at > statement_timestamp()
          and j.payload->>'eventId' = o.event_id::text
        order by j.run_at limit 1 for share skip locked
      ) waiting
    ), opening_jobs as (
      select '${openingKind}' as kind, o.key, o.payload, statement_timestamp() + interval '1 second' as run_at,
        null::int as max_attempts, true as is_soon
      from openings o where not exists (select from shared_openings s where s.event_id = o.event_id)
    )`,
    bindings: given.bindings,
    shape: given.shape,
  }
}

/** Runs in the transaction that changes how many Beacons an event has. */
export async function queueOpening(trx: Knex, eventId: number): Promise<void> {
  const { sql, bindings, shape } = openingsFrom([eventId])
  const statement = `with ${sql}, ${queueJobsFrom('opening_jobs')} select count(*) from announced_jobs`
  await runPrepared(trx, `queue-opening-${shape}`, statement, bindings)
}

/**
 * An event that was published within the last second waits for the next one: transactions at once may queue a job each.
 */
function publishOpening(db: Knex): Task {
  return async ({ payload }) =>
    await db.transaction(async (trx) => {
      const eventId = Number(payload['eventId'])
      const place = { scope: 'public', collection: 'events', docId: String(eventId) } as const
      const document = await presentForPublic(trx, eventId)
      const shown: { body: string | null; isFresh: boolean } | undefined = await trx('sync_log')
        .where(place)
        .first('body', trx.raw(`updated_at > now() - interval '1 second' as is_fresh`))
      if ((shown?.body ?? null) === (document && JSON.stringify(document))) return undefined
      if (shown?.isFresh) return { runAgainAt: new Date() }
      await recordChanges(trx, [{ ...place, document }])
      return undefined
    })
}

export const createOpeningTasks = ({ db }: { readonly db: Knex }): Tasks => ({ [openingKind]: publishOpening(db) })
