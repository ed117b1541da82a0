import type { Caller, Make, ShowTo } from '../calls/handler.ts'
import { signInProblem } from '../calls/access.ts'
import { ProblemError } from '../calls/problems.ts'
import type { Knex } from 'knex'
import type { FeedCollection, FeedScope } from '../feed/change-feed.ts'
import { readCheckpoint, writeCheckpoint, type Checkpoint } from '../feed/checkpoint.ts'

const DEFAULT_LIMIT = 1000
/** A phone reads a page, and this server writes it, in one piece. */
const PAGE_BYTES = 2 * 1024 * 1024

interface Page {
  epoch: string
  head: number
  horizon: number
  /** Tells whether the history has everything that the caller names as acknowledged. */
  contains: boolean
  /** This is the history's id at the caller's version; it is null when the history has none. */
  known: string | null
  last: number | null
  more: boolean
  /** The page ends before the limit, for its size. */
  cut: boolean
  texts: string | null
  /** This is the history's id at the answer's version. */
  historyId: string | null
}

/**
 * It is one statement, hence one snapshot. The page comes as one JSON text, so that no document is parsed. A first pull
 * needs no tombstones. The history has a row for each transaction's end: a version between two belongs to the later. An
 * acknowledgement from before all that is kept of the history counts as contained: it was purged, after months.
 */
const PAGE = `
select page.*, (
  select history_id from sync_history where scope = :scope and version >= case when page.more then page.last else page.head end
  order by version limit 1
) as "historyId"
from (
  select e.epoch, coalesce(s.version, 0) as head, coalesce(s.horizon, 0) as horizon, (
    select history_id from sync_history where scope = :scope and version >= :after order by version limit 1
  ) as known, (
    select coalesce(bool_and(
      exists (select from sync_history h where h.scope = :own and h.version = a.version and h.history_id = a.history_id)
      or not exists (select from sync_history h where h.scope = :own and h.version <= a.version)
    ), true) from unnest(:versions::bigint[], :historyIds::text[]) as a (version, history_id)
  ) as contains, documents.*
  from sync_epoch e
  left join sync_scope s on s.scope = :scope
  cross join lateral (
    select max(version) filter (where fits) as last,
      count(*) > count(*) filter (where fits) as cut, count(*) = :limit or count(*) > count(*) filter (where fits) as more,
      string_agg('{"collection":"' || collection || '","key":"' || doc_id || '","version":' || version || ',' ||
        case when deleted then '"_deleted":true}' else substr(body, 2) end, ',' order by version) filter (where fits) as texts
    from (
      select *, coalesce(sum(octet_length(body)) over (order by version rows between unbounded preceding and 1 preceding), 0)
        < :bytes as fits
      from (
        select collection, doc_id, version, deleted, body from sync_log
        where scope = :scope and scope <> 'public' and version > :after and not (deleted and :after = 0)
        order by version limit :limit
      ) found
    ) measured
  ) documents
) page`

/**
 * Answers 410 `reset`, with the new epoch and the reason in `current`, for a checkpoint of another epoch or history,
 * from before purged tombstones, or from the future. It also does so when a change that the device believes to be saved
 * is in another history, which gave out the same version.
 */
export const createPull =
  (showTo: ShowTo): Make<'pull'> =>
  async ({ db, caller, query, config }) => {
    if (!caller) throw signInProblem('sign_in_required')
    const { limit = DEFAULT_LIMIT } = query
    const from = query.checkpoint === undefined ? undefined : readCheckpoint(query.checkpoint)
    const after = from?.version ?? 0
    const own: FeedScope = `org:${caller.organizerId}`
    const scope: FeedScope = query.scope === 'org' ? own : `account:${caller.userId}`
    const named = acknowledgedIn(query.acknowledged)
    const result = await db.raw<{ rows: Page[] }>(PAGE, {
      scope,
      own,
      after,
      limit,
      bytes: PAGE_BYTES,
      versions: named.map(({ version }) => version) as unknown as Knex.Value,
      historyIds: named.map(({ historyId }) => historyId) as unknown as Knex.Value,
    })
    const [page] = result.rows
    if (!page) throw new Error('The table sync_epoch has lost its row')
    const isUnknown = query.checkpoint !== undefined && from === undefined
    const reason = isUnknown || !page.contains ? 'history' : from && resetReason(page, from)
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
      jsonText: `{"documents":[${shownTo(caller, page.texts ?? '', showTo)}],${JSON.stringify(position).slice(1, -1)},"head":${head},"more":${page.more},"keepSettledHours":${config.keepSettledHours}}`,
    }
  }

/** @param texts JSON texts with commas between them */
function shownTo(caller: Caller, texts: string, showTo: ShowTo): string {
  if (caller.role !== 'door' || texts === '') return texts
  const documents = JSON.parse(`[${texts}]`) as readonly Replicated[]
  return documents
    .map(({ collection, key, version, _deleted, ...document }) => {
      const isOfOrganizer = collection === 'events' || collection === 'applications'
      const shown = _deleted || !isOfOrganizer ? null : showTo(caller, collection, document)
      // What the door does not see is deleted for it: it may have been there before.
      return JSON.stringify({ collection, key, version, ...(shown ?? { _deleted: true }) })
    })
    .join(',')
}

interface Replicated {
  readonly collection: FeedCollection
  readonly key: string
  readonly version: number
  readonly _deleted?: true
}

/** A text that this server did not write means a history that it does not have. */
function acknowledgedIn(names: string | undefined): Pick<Checkpoint, 'version' | 'historyId'>[] {
  if (!names) return []
  return names.split(',').map((name) => readCheckpoint(name) ?? { version: Number.MAX_SAFE_INTEGER, historyId: '' })
}

/** `history`: the database went back since the checkpoint was given. */
function resetReason(page: Page, from: Checkpoint): 'history' | 'horizon' | undefined {
  const { epoch, version, historyId, begunAt = 0 } = from
  if (epoch !== page.epoch || version > page.head) return 'history'
  if (version === 0) return undefined
  if (Math.max(version, Math.min(begunAt, page.head)) < page.horizon) return 'horizon'
  return historyId === page.known ? undefined : 'history'
}
