import type { Knex } from 'knex'

/** What waits, runs or was given up, for whoever watches the server: counts by words of ours, nothing of anybody's. */
export interface Backlog {
  readonly jobs: readonly { readonly kind: string; readonly state: string; readonly count: number }[]
  /** How long the oldest job that is due has been waiting, by kind. */
  readonly overdueSeconds: readonly { readonly kind: string; readonly seconds: number }[]
  readonly mails: readonly { readonly state: string; readonly count: number }[]
  readonly refusals: readonly { readonly code: string; readonly count: number }[]
}

/** Reads only what is open, from its indexes: it is asked for every few seconds, and what is done grows. */
export async function readBacklog(db: Knex): Promise<Backlog> {
  const rowsOf = async <Row>(sql: string): Promise<Row[]> => (await db.raw<{ rows: Row[] }>(sql)).rows
  return {
    jobs: await rowsOf(
      `select kind, 'waiting' as state, count(*)::int as count from jobs where state = 'waiting' group by kind
       union all select kind, 'running', count(*)::int from jobs where state = 'running' group by kind
       union all select kind, 'dead', count(*)::int from jobs where state = 'dead' group by kind`,
    ),
    overdueSeconds: await rowsOf(
      `select kind, extract(epoch from now() - min(run_at))::float8 as seconds from jobs
       where state = 'waiting' and run_at <= now() group by kind`,
    ),
    mails: await rowsOf(
      `select state, count(*)::int as count from mails where state in ('held', 'queued', 'sending') group by state
       union all select 'failed', count(*)::int from mails where state = 'failed'`,
    ),
    refusals: await rowsOf(`select code, sum(times)::float8 as count from refused_changes group by code`),
  }
}
