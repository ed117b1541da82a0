/** What `client: 'pg'` stands for in knex, which has no types for it. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex'

  class PostgresClient extends Knex.Client {
    processResponse(query: unknown, runner: unknown): unknown
  }
  export = PostgresClient
}
