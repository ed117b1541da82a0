import { inLots, lotSize } from '../db/lots.ts'

/**
 * Makes one row of those of a day and line. What is left out because another transaction holds it, or is added meanwhile,
 * counts as it is: a sum of sums is the same.
 */
export const mergeDailySums = inLots(async (db) => {
  const { rows } = await db.raw<{ rows: { merged: number }[] }>(
    `with several as (
       select day, line from daily_sums group by day, line having count(*) > 1
     ), taken as (
       delete from daily_sums where ctid = any(array(
         select ctid from daily_sums where (day, line) in (select day, line from several)
         order by day, line limit ${lotSize} for update skip locked
       )) returning day, line, amount
     ), kept as (
       insert into daily_sums (day, line, amount) select day, line, sum(amount) from taken group by day, line
       returning day
     )
     select ((select count(*) from taken) - (select count(*) from kept))::int as merged`,
  )
  return rows[0]?.merged === 0 ? undefined : rows[0]?.merged
})
