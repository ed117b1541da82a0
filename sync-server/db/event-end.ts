/** Gives the last day of the row `e` of events, as `lastDateOf` of shared/time/event-time.ts does. */
const lastDate = `(e.end_date + coalesce((e.end_date = e.start_date and e.end_time <= e.start_time)::int, 0))`

/** Gives the end of the event, as `hasEnded` there does. */
export const endsAt = `((${lastDate} + coalesce(e.end_time, time '24:00')) at time zone e.time_zone)`

/**
 * Tells whether its last day is today or later by its own clock, as `isUpcoming` there. Takes one binding, the present
 * instant.
 */
export const isUpcomingRow = `(${lastDate} >= (?::timestamptz at time zone e.time_zone)::date)`

/** Gives the day of the UTC at an instant, which is its only binding. */
const utcDay = `(?::timestamptz at time zone 'UTC')::date`

/**
 * An event for which this is false is over wherever it takes place: a night ends a day after its last date, and the
 * slowest clock is half a day behind. The planner can use it, which compares a column with no other column. Takes one
 * binding, the present instant.
 */
export const mayBeUpcoming = `e.end_date >= ${utcDay} - 2`
