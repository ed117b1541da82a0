import type { Knex } from 'knex'

/** What an organizer keeps about an application for themselves; the documents of the feed tell it and every decision. */
export async function up(db: Knex): Promise<void> {
  await db.raw(marks)
  await db.raw(documents)
}

const marks = `
alter table applications
  add column note text,
  add column starred boolean not null default false,
  add column arrived_at timestamptz;
`

// In place, without a new version: an app that knows the new fields keeps its copy under another name and pulls it anew,
// one that does not would drop them again.
const documents = `
update sync_log l set body = (
  l.body::jsonb || jsonb_build_object('note', null, 'starred', false, 'arrivedAt', null, 'decisions', coalesce((
    select jsonb_agg(jsonb_build_object(
      'number', d.decision_number, 'from', d.from_status, 'to', d.to_status,
      'at', to_char(d.decided_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'device', d.device_name,
      'by', case when d.decided_by is null then 'applicant' else 'organizer' end
    ) order by d.decision_number)
    from application_decisions d where d.application_id = l.doc_id::integer
  ), '[]'::jsonb))
)::text
where l.collection = 'applications' and not l.deleted;
`
