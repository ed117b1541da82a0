import type { Knex } from 'knex'

/** The ids of copies are greater, and so are the versions of their documents. */
export const copiesBegin = 700_000_000_000

/**
 * Copies an event, as guests are told of it too. `columns` are values of a copy as SQL, which knows its `number` from 1 on.
 */
export async function copyEvent(
  db: Knex,
  eventId: number,
  count: number,
  columns: Partial<Record<'name' | 'cover_hash', string>>,
): Promise<void> {
  const written = { id: `${copiesBegin} + number`, name: `'Copy ' || number`, ...columns }
  const values = Object.entries(written).flatMap(([name, sql]) => [`'${name}'`, sql])
  await db.raw(
    `insert into events select made.* from events, generate_series(1, ?) as number,
      jsonb_populate_record(events, jsonb_build_object(${values.join(', ')})) as made where events.id = ?`,
    [count, eventId],
  )
  await db.raw(
    `insert into sync_log select made.* from events
      join sync_log as original on original.scope = 'public' and original.collection = 'events' and original.doc_id = ?,
      jsonb_populate_record(original, jsonb_build_object('doc_id', events.id::text, 'version', events.id, 'body',
        (original.body::jsonb || jsonb_strip_nulls(
          jsonb_build_object('id', events.id, 'name', events.name, 'coverHash', events.cover_hash)))::text)) as made
      where events.id > ?`,
    [String(eventId), copiesBegin],
  )
}
