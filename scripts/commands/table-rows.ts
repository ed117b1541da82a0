import { createHash } from 'node:crypto'
import type { Knex } from 'knex'

const FETCH_ROWS = 500

/**
 * knex's own tables, which the migrations fill, and what must not come back to life: a session ended after the backup would
 * work again, and so would a used link of a mail; alerts end with their session. Previews are drawn again; daily sums and the
 * words of events follow from what is restored.
 */
const LEFT_OUT = new Set([
  'knex_migrations',
  'knex_migrations_lock',
  'sessions',
  'known_browsers',
  'account_links',
  'push_subscriptions',
  'rate_limits',
  'event_previews',
  'daily_sums',
  'event_words',
])

export interface TableSum {
  readonly table: string
  readonly rows: number
  /** This is the SHA-256 over the lines of `rowLines`, each with its line feed. */
  readonly sha256: string
}

/** The format holds for the rest of the transaction, whatever the session's settings are. */
export async function writeValuesAlike(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`set local timezone = 'UTC'; set local extra_float_digits = 1; set local intervalstyle = 'iso_8601'`)
}

/** Lists them in an order in which a table follows those that it refers to. */
export async function listTables(trx: Knex.Transaction): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { name: string; needs: string[] }[] }>(
    `select c.relname as name, array(
       select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
       where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid
     ) as needs
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`,
  )
  const waiting = new Map(rows.filter(({ name }) => !LEFT_OUT.has(name)).map(({ name, needs }) => [name, needs]))
  const ordered: string[] = []
  while (waiting.size > 0) {
    const next = [...waiting].find(([, needs]) => !needs.some((needed) => waiting.has(needed)))
    if (!next) throw new Error(`These tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    ordered.push(next[0])
    waiting.delete(next[0])
  }
  return ordered
}

/** Quotes the name as the catalogue has it, without camelCase. */
export const inQuotes = (trx: Knex, table: string): Knex.Raw => trx.raw(`"${table.replaceAll('"', '""')}"`)

/** Yields JSON of one line each, in an order that depends only on the rows. */
export async function* rowLines(trx: Knex.Transaction, table: string): AsyncGenerator<string> {
  await trx.raw(
    `declare table_rows no scroll cursor for
     select line from (select row_to_json(t)::text collate "C" as line from ?? t) lines order by line`,
    [inQuotes(trx, table)],
  )
  for (;;) {
    const { rows } = await trx.raw<{ rows: { line: string }[] }>(`fetch ${FETCH_ROWS} from table_rows`)
    for (const { line } of rows) yield line
    if (rows.length < FETCH_ROWS) break
  }
  await trx.raw('close table_rows')
}

export function createSum(table: string): { add(line: string): void; end(): TableSum } {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add: (line) => {
      rows += 1
      hash.update(line).update('\n')
    },
    end: () => ({ table, rows, sha256: hash.digest('hex') }),
  }
}

export async function sumTable(trx: Knex.Transaction, table: string): Promise<TableSum> {
  const sum = createSum(table)
  for await (const line of rowLines(trx, table)) sum.add(line)
  return sum.end()
}
