import type { Knex } from 'knex'

/** The tables, by name, in which any column of any row holds any of the words, in any case. */
export async function tablesHolding(db: Knex, words: readonly string[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await db(name)
      .whereRaw(
        `exists (select from unnest(?::text[]) w (word) where position(lower(w.word) in lower(to_jsonb(??)::text)) > 0)`,
        [words as unknown as Knex.Value, name],
      )
      .limit(1)
    if (hits.length > 0) found.push(name)
  }
  return found
}
