import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { columnTypes } from '../../../../sync-server/db/knex-config.ts'
import { appConnection } from '../../../../sync-server/db/app-role.ts'
import { clusterFolder, readPostmasterFile } from '../../../../sync-server/db/embedded/postgres-cluster.ts'

/** What the server keeps under an idempotency key. */
export interface StoredKey {
  readonly scope: string
  readonly key: string
  readonly refusal: string | null
  readonly left_state: string | null
  readonly status: number | null
  readonly version: number | null
}

/** Something that happened in the database, in the order it happened in. Gone if its transaction was. */
export interface Effect {
  readonly relation: string
  readonly operation: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly line: Readonly<Record<string, unknown>>
}

/** Looks into the server's own database beside the server, through every restart of PostgreSQL. */
export type Witness = Awaited<ReturnType<typeof openWitness>>

const patienceMs = 30_000

/** The address of the embedded database as it runs now; it has another port after each start. */
export function connectionTo(folder: string): string {
  return appConnection(folder, readPostmasterFile(folder)?.port ?? 0)
}

// Only tables in which a second line would be a second effect.
const watched = [
  ['events', 'insert or update or delete'],
  ['applications', 'insert or update of basis'],
] as const

/**
 * A connection to the embedded database of a data folder. A query that meets a dead PostgreSQL waits for the next one.
 * Notes every effect from now on in a table of its own, within the effect's transaction: what was rolled back or lost in a
 * crash is not noted, and what was deleted later still is.
 */
export async function openWitness(dataDir: string) {
  const folder = clusterFolder(dataDir)
  let connecting: Promise<Client> | undefined

  async function connect(): Promise<Client> {
    const client = new Client({
      connectionString: connectionTo(folder),
      application_name: 'witness',
      types: columnTypes,
      connectionTimeoutMillis: 3000,
    })
    client.on('error', () => (connecting = undefined))
    client.on('end', () => (connecting = undefined))
    await client.connect()
    return client
  }

  let queue: Promise<unknown> = Promise.resolve()
  function query<R>(sql: string, values: readonly unknown[] = []): Promise<R[]> {
    const turn = queue.then(() => queryNow<R>(sql, values))
    queue = turn.catch(() => undefined)
    return turn
  }

  async function queryNow<R>(sql: string, values: readonly unknown[]): Promise<R[]> {
    const deadline = Date.now() + patienceMs
    for (;;) {
      const mine = (connecting ??= connect())
      try {
        const client = await mine
        return (await client.query(sql, [...values])).rows as R[]
      } catch (error) {
        const { code, severity } = error as { code?: string; severity?: string }
        // A mistake in the question is not answered better by asking again.
        if ((severity === 'ERROR' && !code?.startsWith('57')) || Date.now() > deadline) throw error
        if (connecting === mine) connecting = undefined
        await delay(20)
      }
    }
  }

  await query(`
    create table witness (
      at bigint generated always as identity primary key,
      relation text not null, operation text not null, line jsonb not null
    );
    create function note_effect() returns trigger language plpgsql as $$
    begin
      insert into witness (relation, operation, line)
      values (tg_table_name, tg_op, case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end);
      return null;
    end $$;
    ${watched
      .map(
        ([table, when]) =>
          `create trigger note_effect after ${when} on ${table} for each row execute function note_effect();`,
      )
      .join('\n')}
  `)

  return {
    query,
    stored: (keys: readonly string[]) =>
      query<StoredKey>(
        'select scope, key, refusal, left_state, status, version from idempotency_keys where key = any($1)',
        [keys],
      ),
    effects: () => query<Effect>('select relation, operation, line from witness order by at'),
    /** The process ids of PostgreSQL: the server itself, and those that work for clients other than this one. */
    async processes() {
      const rows = await query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'client backend' and application_name <> 'witness'",
      )
      return { postmaster: readPostmasterFile(folder)?.pid ?? 0, backends: rows.map(({ pid }) => pid) }
    },
    async close() {
      const client = await connecting?.catch(() => undefined)
      await client?.end().catch(() => undefined)
    },
  }
}
