import type { Knex } from 'knex'

/**
 * Removes or changes some of what is due, in a transaction of its own. Returns how many rows, or undefined when nothing
 * is due any more.
 */
export type Lot = (db: Knex, now: Date) => Promise<number | undefined>

/**
 * Works until nothing is due, or `mayGoOn` says no before another lot: then the next turn goes on. Returns how many rows
 * went.
 */
export type CleanUpStep = (db: Knex, now: Date, mayGoOn?: () => boolean) => Promise<number>

export const inLots =
  (lot: Lot): CleanUpStep =>
  async (db, now, mayGoOn = () => true) => {
    let total = 0
    while (mayGoOn()) {
      const count = await lot(db, now)
      if (count === undefined) break
      total += count
    }
    return total
  }

/** One takes a tenth of a second or so, and holds its rows no longer. */
export const lotSize = 5_000

/**
 * Deletes rows of a table. Those that another transaction holds stay for the next turn, and two servers at once take
 * different ones.
 * @param isDue SQL whose only bindings are those that `bindingsAt` answers
 */
export function deletionOf(table: string, isDue: string, bindingsAt: (now: Date) => Knex.Value[] = () => []): Lot {
  return async (db, now) => {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `delete from ${table} where ctid = any(array(
         select ctid from ${table} where ${isDue} limit ${lotSize} for update skip locked
       ))`,
      bindingsAt(now),
    )
    return rowCount === 0 ? undefined : rowCount
  }
}

export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000)
