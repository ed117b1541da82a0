import { collectionScope } from '#shared/sync/collections.ts'
import type { Handler } from '../calls/handler.ts'
import { signInProblem } from '../calls/access.ts'
import { ProblemError } from '../calls/problems.ts'
import type { FeedScope } from '../feed/change-feed.ts'
import { readCheckpoint, writeCheckpoint, type Checkpoint } from './checkpoint.ts'

const DEFAULT_LIMIT = 1000
/** A phone reads a page, and this server writes it, in one piece. */
const PAGE_BYTES = 2 * 1024 * 1024

interface Page {
  epoch: string
  head: number
  horizon: number
  /** The history's id at the caller's version; null when it has none. */
  known: string | null
  last: number | null
  more: boolean
  /** The page ends before the limit, for its size. */
  cut: boolean
  texts: string | null
  /** The history's id at the answer's version. */
  historyId: string | null
}

/**
 * One statement, hence one snapshot. The page comes as one JSON text, so that no document is parsed. A first pull needs
 * no tombstones. The history has a row for each transaction's end: a version between two belongs to the later.
 */
const PAGE = `
select page.*, (
  select history_id from sync_history where scope = :scope and version >= case when page.more then page.last else page.head end
  order by version limit 1
) as "historyId"
from (
  select e.epoch, coalesce(s.version, 0) as head, coalesce(s.horizon, 0) as horizon, (
    select history_id from sync_history where scope = :scope and version >= :after order by version limit 1
  ) as known, documents.*
  from sync_epoch e
  left join sync_scope s on s.scope = :scope
  cross join lateral (
    select max(version) filter (where fits) as last,
      count(*) > count(*) filter (where fits) as cut, count(*) = :limit or count(*) > count(*) filter (where fits) as more,
      string_agg('{"key":"' || doc_id || '","version":' || version || ',' ||
        case when deleted then '"_deleted":true}' else substr(body, 2) end, ',' order by version) filter (where fits) as texts
    from (
      select *, coalesce(sum(octet_length(body)) over (order by version rows between unbounded preceding and 1 preceding), 0)
        < :bytes as fits
      from (
        select doc_id, version, deleted, body from sync_log
        where scope = :scope and scope <> 'public' and collection = :collection and version > :after and not (deleted and :after = 0)
        order by version limit :limit
      ) found
    ) measured
  ) documents
) page`

/**
 * 410 `reset`, with the new epoch and the reason in `current`, for a checkpoint of another epoch or history, from
 * before purged tombstones, or from the future.
 */
export const pull: Handler<'pull'> = async ({ db, caller, query, config }) => {
  if (!caller) throw signInProblem('sign_in_required')
  const { collection, limit = DEFAULT_LIMIT } = query
  const from = query.checkpoint === undefined ? undefined : readCheckpoint(query.checkpoint)
  const after = from?.version ?? 0
  const scope: FeedScope = `${collectionScope[collection]}:${caller.userId}`
  const result = await db.raw<{ rows: Page[] }>(PAGE, { scope, collection, after, limit, bytes: PAGE_BYTES })
  const [page] = result.rows
  if (!page) throw new Error('The table sync_epoch has lost its row')
  const isUnknown = query.checkpoint !== undefined && from === undefined
  const reason = isUnknown ? 'history' : from && resetReason(page, from)
  if (reason) {
    throw new ProblemError('reset', 'The copy on this device must start again.', {
      current: { reset: true, epoch: page.epoch, reason },
    })
  }
  const version = page.more && page.last !== null ? page.last : page.head
  // A first copy's checkpoints may be older than the horizon, yet it misses no deletion since it began.
  const begunAt = page.more ? (after === 0 ? page.head : from?.begunAt) : undefined
  const { epoch, historyId } = page
  const position = { epoch, version, checkpoint: writeCheckpoint({ epoch, version, historyId, begunAt }) }
  // An app that does not know `more` takes a short page as the last.
  const head = page.cut ? version : page.head
  return {
    jsonText: `{"documents":[${page.texts ?? ''}],${JSON.stringify(position).slice(1, -1)},"head":${head},"more":${page.more},"keepSettledHours":${config.keepSettledHours}}`,
  }
}

/** `history`: the database went back since the checkpoint was given. */
function resetReason(page: Page, from: Checkpoint): 'history' | 'horizon' | undefined {
  const { epoch, version, historyId, begunAt = 0 } = from
  if (epoch !== page.epoch || version > page.head) return 'history'
  if (version === 0) return undefined
  if (Math.max(version, Math.min(begunAt, page.head)) < page.horizon) return 'horizon'
  return historyId === page.known ? undefined : 'history'
}
