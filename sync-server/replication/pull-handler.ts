import { collectionScope } from '#shared/api/replication.ts'
import type { Handler } from '../http/handler.ts'
import { signInProblem } from '../http/access.ts'
import { ProblemError } from '../http/problems.ts'
import type { FeedScope } from './change-feed.ts'

const DEFAULT_LIMIT = 1000

interface Page {
  epoch: string
  head: number
  horizon: number
  last: number | null
  count: number
  texts: string | null
}

/**
 * One statement, hence one snapshot: `head` and the documents belong together. The page is joined to one JSON text by
 * the database, so a document is never parsed on its way. A first pull needs no tombstones.
 */
const PAGE = `
select e.epoch, coalesce(s.version, 0) as head, coalesce(s.horizon, 0) as horizon, page.*
from sync_epoch e
left join sync_scope s on s.scope = :scope
cross join lateral (
  select max(version) as last, count(*) as count, string_agg(
    '{"key":"' || doc_id || '","version":' || version || ',' ||
    case when deleted then '"_deleted":true}' else substr(body, 2) end, ',' order by version) as texts
  from (
    select doc_id, version, deleted, body from sync_log
    where scope = :scope and collection = :collection and version > :after and not (deleted and :after = 0)
    order by version limit :limit
  ) as documents
) as page`

/**
 * Documents of one collection after a checkpoint. A checkpoint of another epoch, from before purged tombstones or from
 * the future cannot be continued: 410 `reset`, with the epoch to start from in `current`.
 */
export const pull: Handler<'pull'> = async ({ db, caller, query }) => {
  if (!caller) throw signInProblem('sign_in_required')
  const { collection, epoch, version: after = 0, limit = DEFAULT_LIMIT } = query
  const scope: FeedScope = `${collectionScope[collection]}:${caller.userId}`
  const result = await db.raw<{ rows: Page[] }>(PAGE, { scope, collection, after, limit })
  const [page] = result.rows
  if (!page) throw new Error('The table sync_epoch has lost its row')
  const otherEpoch = epoch === undefined ? after > 0 : epoch !== page.epoch
  if (otherEpoch || (after > 0 && after < page.horizon) || after > page.head) {
    throw new ProblemError('reset', 'The copy on this device must start again.', {
      current: { reset: true, epoch: page.epoch },
    })
  }
  // A full page may have more behind it; a short one has seen everything up to the head.
  const version = page.count === limit && page.last !== null ? page.last : page.head
  return {
    jsonText: `{"documents":[${page.texts ?? ''}],"checkpoint":{"epoch":"${page.epoch}","version":${version}},"head":${page.head}}`,
  }
}
