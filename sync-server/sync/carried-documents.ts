import type { Knex } from 'knex'
import { collections, collectionScope, type Collection, type Scope } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import type { FeedScope } from '../feed/change-feed.ts'
import { writeCheckpoint } from './checkpoint.ts'

/** Above either limit each device pulls at its own pace. */
const CARRIED_DOCUMENTS = 20
const CARRIED_BYTES = 16 * 1024

interface Reading {
  epoch: string
  version: number
  sinceHistoryId: string | null
  historyId: string | null
  names: Collection[] | null
  texts: string[] | null
}

/** One statement, hence one snapshot: an older version would lack a document that changed once more. */
const CARRIED = `
select e.epoch, s.version, documents.*,
  (select history_id from sync_history where scope = :scope and version = :since) as "sinceHistoryId",
  (select history_id from sync_history where scope = :scope and version = s.version) as "historyId"
from sync_epoch e
join sync_scope s on s.scope = :scope
cross join lateral (
  select array_agg(collection order by version) as names, array_agg('{"key":"' || doc_id || '","version":' || version || ',' ||
    case when deleted then '"_deleted":true}' else substr(body, 2) end order by version) as texts
  from (
    select *, count(*) over () as count, sum(octet_length(body)) over () as bytes from (
      select collection, doc_id, version, deleted, body from sync_log
      where scope = :scope and scope <> 'public' and collection = any(:ofScope) and version > :since
      order by version limit :limit
    ) found
  ) measured
  where count < :limit and coalesce(bytes, 0) <= :bytes
) documents`

/**
 * JSON text up to the scope's present version; undefined for too many or too large documents, or when the history does
 * not say where the poke begins.
 * @param poke names the version it begins at, and its collections
 */
export async function carryDocuments(
  db: Knex,
  feedScope: FeedScope,
  { scope, version, since, collections: changed = [] }: Poke,
): Promise<{ readonly version: number; readonly jsonText: string } | undefined> {
  if (since === undefined || changed.length === 0 || version - since > CARRIED_DOCUMENTS) return undefined
  const ofScope = collections.filter((name) => collectionScope[name] === scope) as unknown as Knex.Value
  const { rows } = (await db
    .raw(CARRIED, { scope: feedScope, ofScope, since, limit: CARRIED_DOCUMENTS + 1, bytes: CARRIED_BYTES })
    .options({ name: 'carried-documents' })) as { rows: Reading[] }
  const [read] = rows
  if (!read?.names || !read.texts || read.historyId === null || (read.sinceHistoryId === null && since > 0))
    return undefined
  return { version: read.version, jsonText: pokeText(scope, since, read, read.names, read.texts) }
}

function pokeText(scope: Scope, since: number, read: Reading, names: Collection[], texts: string[]): string {
  const changed = [...new Set(names)]
  const { epoch, version, sinceHistoryId, historyId } = read
  const from = writeCheckpoint({ epoch, version: since, historyId: sinceHistoryId })
  const carried = { from, to: writeCheckpoint({ epoch, version, historyId }) }
  const poke = { scope, version, since, collections: changed }
  const documents = changed.map((name) => {
    const own = texts.filter((_, index) => names[index] === name)
    return `${JSON.stringify(name)}:[${own.join(',')}]`
  })
  return `${JSON.stringify(poke).slice(0, -1)},"carried":${JSON.stringify(carried).slice(0, -1)},"documents":{${documents.join(',')}}}}`
}
