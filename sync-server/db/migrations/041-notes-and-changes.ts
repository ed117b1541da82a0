import type { Knex } from 'knex'

/**
 * A note that another phone wrote over is kept, an approved Beacon's public text is remembered as it was approved, and an
 * event remembers the questions it has asked.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table applications
      add column note_at timestamptz,
      add column note_device text,
      add column other_notes jsonb not null default '[]',
      add column approved_as jsonb`)
  await db.raw(`alter table events add column asked_questions jsonb not null default '[]'`)
  await db.raw(questionsAnswered)
}

// What was answered before was asked then.
const questionsAnswered = `
update events e set asked_questions = (
  select jsonb_agg(distinct answer->'question')
  from applications a, jsonb_array_elements(a.custom_answers) answer
  where a.event_id = e.id and not e.custom_questions @> jsonb_build_array(answer->'question')
)
where exists (
  select from applications a, jsonb_array_elements(a.custom_answers) answer
  where a.event_id = e.id and not e.custom_questions @> jsonb_build_array(answer->'question')
)
`
