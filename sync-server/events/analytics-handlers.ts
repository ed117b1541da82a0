import type { Knex } from 'knex'
import { applicationRecord, defaultQuestions } from '#shared/applications/application-record.ts'
import { includesAnalytics } from '#shared/billing/subscription-state.ts'
import type { Analytics, AnswerTimes } from '#shared/events/analytics-calls.ts'
import { viewSources } from '#shared/events/view-source.ts'
import { tierAndEnd } from '../billing/subscription-status.ts'
import { listSubscriptions } from '../billing/subscription-store.ts'
import { signedIn } from '../calls/access.ts'
import type { Make, Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { columnOf } from '../db/column-names.ts'

const APPLICATIONS = 'applications a join events e on e.id = a.event_id'

/** Measures how long the first decision took that was not the applicant's own. */
const FIRST_ANSWER = `left join lateral (
  select extract(epoch from min(d.decided_at) - a.created_at)::float8 * 1000 as ms
  from application_decisions d where d.application_id = a.id and not d.by_applicant
) took on true`
const ANSWER_TIMES = `count(took.ms)::int as answered,
  percentile_cont(0.5) within group (order by took.ms) as half_within_ms,
  percentile_cont(0.9) within group (order by took.ms) as nine_of_ten_within_ms`

/** Tells whether a Beacon came, as `came` of shared/applications/presence.ts does. */
const CAME = `a.arrived_at is not null and coalesce(
  (select bool_or(said.at is not null) from jsonb_each_text(a.presence) said (day, at)
   where said.day between e.start_date::text and e.end_date::text), true)`

const maxCustomQuestions = 100

async function rowsOf<Row>(db: Knex, sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
  return (await db.raw<{ rows: Row[] }>(sql, bindings)).rows
}

async function listSources(db: Knex, userId: number): Promise<Analytics['sources']> {
  const found = await rowsOf<Analytics['sources'][number]>(
    db,
    `select source, sum(views)::int as views, sum(applications)::int as applications from (
       select v.source, v.views, 0 as applications from all_event_views v join events e on e.id = v.event_id
       where e.organizer_id = ?
       union all select coalesce(a.came_from, 'unknown'), 0, 1 from ${APPLICATIONS} where e.organizer_id = ?
     ) counted group by source`,
    [userId, userId],
  )
  const known = new Map(found.map((row) => [row.source, row]))
  const unknown = known.get('unknown')
  return [
    ...viewSources.map((source) => known.get(source) ?? { source, views: 0, applications: 0 }),
    ...(unknown ? [unknown] : []),
  ]
}

async function answerTimesOf(db: Knex, userId: number): Promise<AnswerTimes> {
  const [times] = await rowsOf<AnswerTimes>(
    db,
    `select ${ANSWER_TIMES} from ${APPLICATIONS} ${FIRST_ANSWER} where e.organizer_id = ?`,
    [userId],
  )
  return times ?? { answered: 0, halfWithinMs: null, nineOfTenWithinMs: null }
}

async function listEvents(db: Knex, userId: number): Promise<Analytics['events']> {
  return await rowsOf(
    db,
    `select e.id, e.name, e.start_date,
       (select coalesce(sum(v.views), 0)::int from all_event_views v where v.event_id = e.id) as views,
       count(a.id)::int as applications,
       (count(a.id) filter (where a.status = 'approved'))::int as approved,
       (count(a.id) filter (where a.status = 'approved' and ${CAME}))::int as came,
       ${ANSWER_TIMES}
     from events e left join applications a on a.event_id = e.id ${FIRST_ANSWER}
     where e.organizer_id = ? group by e.id order by e.start_date desc, e.id desc`,
    [userId],
  )
}

type Question = Analytics['questions'][number]

async function listDefaultQuestions(db: Knex, userId: number): Promise<Question[]> {
  const answers = defaultQuestions.map(({ field }) => `('${field}', a.${columnOf(field)})`).join(', ')
  const counted = await rowsOf<{ field: string; answer: string | null; asked: number; answered: number }>(
    db,
    `select q.field, case when q.field = 'experience' then q.answer end as answer, count(*)::int as asked,
       (count(*) filter (where q.answer <> ''))::int as answered
     from ${APPLICATIONS} cross join lateral (values ${answers}) q (field, answer)
     where e.organizer_id = ? and (e.show_default_questions or q.answer <> '') group by 1, 2`,
    [userId],
  )
  return defaultQuestions.flatMap(({ field, text }) => {
    const rows = counted.filter((row) => row.field === field)
    if (rows.length === 0) return []
    const total = (of: 'asked' | 'answered') => rows.reduce((sum, row) => sum + row[of], 0)
    const question = { question: text, asked: total('asked'), answered: total('answered') }
    if (field !== 'experience') return [question]
    const choices = applicationRecord.experience.of.map((choice) => ({
      choice,
      applications: rows.find(({ answer }) => answer === choice)?.answered ?? 0,
    }))
    return [{ ...question, choices }]
  })
}

/** Drops the asterisk of a required one, which an organizer may add to one event and not to another. */
const plain = (question: string) => String.raw`regexp_replace(${question}, '\s*\*{0,1}\s*$', '')`

/** An application was asked what its event asks now, and what it answers. */
async function listCustomQuestions(db: Knex, userId: number): Promise<Question[]> {
  return await rowsOf(
    db,
    `select q.question, count(*)::int as asked, (count(*) filter (where q.is_answered))::int as answered
     from ${APPLICATIONS} cross join lateral (
       select question, bool_or(is_answered) as is_answered from (
         select ${plain('asked')} as question, false as is_answered
         from jsonb_array_elements_text(e.custom_questions) asked
         union all select ${plain("given ->> 'question'")}, given ->> 'answer' <> ''
         from jsonb_array_elements(a.custom_answers) given
       ) one group by question
     ) q where e.organizer_id = ? group by q.question order by asked desc, q.question limit ?`,
    [userId, maxCustomQuestions],
  )
}

async function countWeekdays(db: Knex, userId: number): Promise<number[]> {
  const rows = await rowsOf<{ weekday: number; applications: number }>(
    db,
    `select extract(isodow from a.created_at at time zone e.time_zone)::int as weekday, count(*)::int as applications
     from ${APPLICATIONS} where e.organizer_id = ? group by 1`,
    [userId],
  )
  return [1, 2, 3, 4, 5, 6, 7].map((day) => rows.find(({ weekday }) => weekday === day)?.applications ?? 0)
}

const getAnalytics: Make<'getAnalytics'> = async ({ db, caller, config, now }) => {
  const { organizerId, isAdmin } = signedIn({ caller })
  const { tier } = tierAndEnd(await listSubscriptions(db, organizerId), now)
  if (config.billing !== 'off' && !includesAnalytics({ subscriptionTier: tier, isAdmin }))
    throw new ProblemError('payment_required', 'Your plan does not include advanced analytics.')
  return {
    sources: await listSources(db, organizerId),
    answers: await answerTimesOf(db, organizerId),
    events: await listEvents(db, organizerId),
    questions: [...(await listDefaultQuestions(db, organizerId)), ...(await listCustomQuestions(db, organizerId))],
    weekdays: await countWeekdays(db, organizerId),
  }
}

export const analyticsHandlers = { getAnalytics } satisfies Partial<Handlers>
