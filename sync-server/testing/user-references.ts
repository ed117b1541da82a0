import type { Knex } from 'knex'

/** The columns that refer to an account, by table. */
export async function listUserReferences(db: Knex): Promise<{ table: string; column: string }[]> {
  const { rows } = await db.raw<{ rows: { table: string; column: string }[] }>(
    `select f.conrelid::regclass::text as "table", a.attname as "column"
     from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
     where f.contype = 'f' and f.confrelid = 'users'::regclass order by 1, 2`,
  )
  return rows
}
