import { applicationStatuses } from '#shared/applications/decide.ts'
import type { SyncSummary } from '#shared/sync/replication-calls.ts'
import { signedIn } from '../calls/access.ts'
import type { Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'

type Row = Omit<SyncSummary, 'applications'> & SyncSummary['applications']

const counts = applicationStatuses
  .map((status) => `(count(a.id) filter (where a.status = '${status}'))::int as ${status}`)
  .join(', ')

/** One statement reads one snapshot. The applications' own table is counted: the feed may be what has gone wrong. */
const SUMMARY = `
select p.epoch, coalesce(s.version, 0) as version, coalesce(l.version, 0) as "eventVersion", ${counts}
from events e
cross join sync_epoch p
left join sync_scope s on s.scope = :scope
left join sync_log l on l.scope = :scope and l.collection = 'events' and l.doc_id = e.id::text and not l.deleted
left join applications a on a.event_id = e.id and not a.archived
where e.id = :eventId and e.organizer_id = :organizerId
group by p.epoch, s.version, l.version`

/** A stranger's event looks like one that does not exist. */
export const getSyncSummary: Make<'getSyncSummary'> = async ({ db, caller, query }) => {
  const { organizerId, role } = signedIn({ caller })
  const { rows } = await db.raw<{ rows: Row[] }>(SUMMARY, {
    scope: `org:${organizerId}`,
    eventId: query.eventId,
    organizerId,
  })
  const [row] = rows
  if (!row) throw new ProblemError('not_found', 'Event not found')
  const { epoch, version, eventVersion, pending, approved, rejected } = row
  const isDoor = role === 'door'
  const applications = { approved, pending: isDoor ? 0 : pending, rejected: isDoor ? 0 : rejected }
  return { epoch, version, eventVersion, applications }
}
