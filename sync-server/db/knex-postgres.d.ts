/** knex has no types for the class behind `client: 'pg'`. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex'

  class PostgresClient extends Knex.Client {
    processResponse(query: unknown, runner: unknown): unknown
  }
  export = PostgresClient
}
