import type { Knex } from 'knex'

/** Tells one state of what is public from any other: an SQL expression. */
export const MARK = `select e.epoch || ' ' || coalesce(max(s.version), 0) from sync_epoch e left join sync_scope s on s.scope = 'public' group by e.epoch`

interface Reading {
  running: Promise<unknown>
  next: Promise<string> | undefined
}

const readings = new WeakMap<Knex, Reading>()

/**
 * The present state of everything public. Callers share a reading that begins after they asked, never one that is already
 * on its way: what was committed before the question is always seen.
 */
export function publicMark(db: Knex): Promise<string> {
  const reading = readings.get(db) ?? { running: Promise.resolve(), next: undefined }
  readings.set(db, reading)
  reading.next ??= reading.running.then(
    () => read(db, reading),
    () => read(db, reading),
  )
  return reading.next
}

async function read(db: Knex, reading: Reading): Promise<string> {
  reading.next = undefined
  const reads = db.raw<{ rows: { mark: string }[] }>(`select (${MARK}) as mark`).options({ name: 'public-mark' })
  const running = Promise.resolve(reads)
  reading.running = running
  const { rows } = await running
  const mark = rows[0]?.mark
  if (mark === undefined) throw new Error('The table sync_epoch has lost its row')
  return mark
}
