import type { Knex } from 'knex'
import { toCamelCase } from './column-names.ts'
import { isPooled } from './knex-config.ts'

/**
 * Runs a statement that each connection prepares once and then keeps under its name, so the name stands for one text.
 * It goes to knex's client without a builder, which would cost as much again as pg does.
 * @param sql has a `?` for each binding
 * @returns the rows in camelCase
 */
export async function runPrepared<R extends object>(
  db: Knex,
  name: string,
  sql: string,
  bindings: readonly Knex.Value[] = [],
): Promise<readonly R[]> {
  const client = db.client as Knex.Client
  const connection: unknown = await client.acquireConnection()
  try {
    // A pooler before PgBouncer 1.21 does not know which connection has prepared a statement under a name.
    const options = isPooled(db) ? {} : { name }
    const { response } = (await client.query(connection, { sql, bindings, options })) as { response: { rows: R[] } }
    return toCamelCase(response.rows) as readonly R[]
  } finally {
    await client.releaseConnection(connection)
  }
}
