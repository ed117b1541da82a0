import type { Knex } from 'knex'
import { changesOfApplications } from '../applications/application-presenter.ts'
import { findToDecideOn } from '../applications/application-store.ts'
import type { Change } from '../feed/change-feed.ts'

/**
 * Takes the person and the names of their devices from what they decided and wrote for other organizers, which stays
 * theirs; their own applicants are deleted, lot by lot. Returns what those organizers' devices have to hear.
 */
export async function forgetMember(trx: Knex, userId: number): Promise<Change[]> {
  // What the person is just writing is waited for, and nothing more is written.
  await trx('users').where({ id: userId }).forUpdate().first('id')
  const found = await trx.raw<{ rows: { id: number }[] }>(
    `with touched as (
       select application_id as id from application_decisions where decided_by = ?
       union select id from applications where note_by = ?
       union select id from applications
       where other_notes <> '[]' and other_notes @> jsonb_build_array(jsonb_build_object('by', ?::bigint))
     )
     select a.id from touched join applications a using (id) join events e on e.id = a.event_id where e.organizer_id <> ?`,
    [userId, userId, userId, userId],
  )
  const ids = found.rows.map(({ id }) => id)
  await trx('application_decisions')
    .where({ decidedBy: userId })
    .whereIn('applicationId', ids)
    .update({ decidedBy: null, deviceId: null, deviceName: null })
  await trx('applications').where({ noteBy: userId }).whereIn('id', ids).update({ noteBy: null, noteDevice: null })
  await trx.raw(
    `update applications set other_notes = (
       select jsonb_agg(
         case when n -> 'by' = to_jsonb(?::bigint) then n || '{"by": null, "device": null}' else n end order by place)
       from jsonb_array_elements(other_notes) with ordinality as one (n, place))
     where id = any(?) and other_notes <> '[]'`,
    [userId, ids as unknown as Knex.Value],
  )
  await trx('messages').where({ writtenBy: userId }).update({ writtenBy: null, deviceName: null })
  const applications = [...(await findToDecideOn(trx, ids)).values()].map(({ row }) => row)
  const changes = [...(await changesOfApplications(trx, applications)).values()].flat()
  return changes.filter(({ scope }) => scope !== 'public')
}
