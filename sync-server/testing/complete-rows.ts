import type { Knex } from 'knex'

/** Where a table or a check allows only some values. */
const allowed: Readonly<Record<string, string | number | boolean>> = {
  'users.demo_role': 'organizer',
  'account_links.purpose': 'verify',
  'applications.status': 'approved',
  'application_decisions.from_status': 'pending',
  'application_decisions.to_status': 'approved',
  'jobs.state': 'done',
  'mails.state': 'sent',
  'payments.provider': 'stripe',
  'payments.status': 'paid',
  'subscription_plans.tier': 'single',
  'sync_log.deleted': false,
  'used_ids.kind': 'event',
  'team_members.role': 'door',
  'team_invitations.role': 'door',
}

const byType: Readonly<Record<string, string | number | boolean | Buffer>> = {
  'bigint[]': '{7}',
  bigint: 7,
  integer: 1,
  boolean: true,
  bytea: Buffer.from([0, 92, 255]),
  date: '2099-03-01',
  'double precision': 41.5,
  jsonb: '[]',
  'timestamp with time zone': '2026-11-20T10:00:00Z',
  'time without time zone': '18:30',
  uuid: '0192d3a0-0000-7000-8000-000000000001',
}

/** Their rows come with those of other tables. */
const filledByTriggers = ['event_words']

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly isIdentity: boolean
  readonly refersTo: { readonly table: string; readonly column: string } | null
}

type Row = Readonly<Record<string, unknown>>

/**
 * Adds to every table a row without an empty column, which belongs to the new rows of the tables it refers to: one
 * person with everything that can be stored. Returns the rows by table, under PostgreSQL's names.
 */
export async function addCompleteRows(db: Knex): Promise<ReadonlyMap<string, Row>> {
  const columns = await listColumns(db)
  const rows = new Map<string, Row>()
  const add = async (table: string): Promise<Row> => {
    const added = rows.get(table)
    if (added) return added
    const values: Record<string, unknown> = {}
    for (const { column, type, isIdentity, refersTo } of columns.filter((one) => one.table === table)) {
      if (isIdentity) continue
      if (refersTo) values[column] = (await add(refersTo.table))[refersTo.column]
      else values[column] = allowed[`${table}.${column}`] ?? byType[type] ?? column
    }
    const row = await write(db, table, values)
    rows.set(table, row)
    return row
  }
  for (const table of new Set(columns.map((one) => one.table))) await add(table)
  return rows
}

/** A table that holds one row at most has it completed. */
async function write(db: Knex, table: string, values: Row): Promise<Row> {
  const names = Object.keys(values)
  const list = names.map(() => '??').join(', ')
  const places = names.map(() => '?').join(', ')
  const { rows } = await db.raw<{ rows: { row: Row }[] }>(
    `insert into ?? as t (${list}) values (${places}) on conflict do nothing returning to_jsonb(t) as row`,
    [table, ...names, ...Object.values(values)] as Knex.Value[],
  )
  if (rows[0]) return rows[0].row
  const set = names.map(() => '?? = ?').join(', ')
  const { rows: completed } = await db.raw<{ rows: { row: Row }[] }>(
    `update ?? as t set ${set} returning to_jsonb(t) as row`,
    [table, ...Object.entries(values).flat()] as Knex.Value[],
  )
  if (completed.length !== 1) throw new Error(`${table} has ${completed.length} rows in place of a complete one`)
  return completed[0]!.row
}

async function listColumns(db: Knex): Promise<Column[]> {
  const { rows } = await db.raw<{ rows: Column[] }>(
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
       a.attidentity <> '' as is_identity,
       (select json_build_object('table', r.relname, 'column', ra.attname)
        from pg_constraint f join pg_class r on r.oid = f.confrelid
          join pg_attribute ra on ra.attrelid = r.oid and ra.attnum = f.confkey[1]
        where f.conrelid = c.oid and f.contype = 'f' and f.conkey = array[a.attnum]) as refers_to
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
       and c.relname not like 'knex%' and c.relname <> all(?)
     order by c.relname, a.attnum`,
    [filledByTriggers],
  )
  return rows
}
