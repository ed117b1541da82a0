import type { Knex } from 'knex'
import type { ProblemCode } from '#shared/contract/problem.ts'
import { relation } from '../db/column-names.ts'
import { feedStatement, headFrom, type Change, type FeedHead, type FeedScope } from '../feed/change-feed.ts'
import type { DocumentRouteName } from './handler.ts'
import type { ClaimedKey } from './idempotency.ts'

export interface AuditLine {
  readonly userId: number | null
  readonly deviceId: string | null
  readonly route: DocumentRouteName
  readonly subject: string | null
  readonly requestId: string
  /** It is true if the line is kept only where the transaction has written something. */
  readonly isOnlyOfChanges: boolean
}

export interface CallRecord {
  readonly key: ClaimedKey | null
  readonly status: number
  readonly refusal: ProblemCode | null
  readonly collection: 'events' | 'applications' | null
  readonly docId: number | null
  readonly leftState: string | null
  readonly line: AuditLine | null
}

/**
 * Writes feed, answers and audit in one statement, because it holds the locks of the feed from here on.
 * @param scope the sender's own, whose head is answered
 */
export async function recordCalls(
  trx: Knex.Transaction,
  given: { changes: readonly Change[]; records: readonly CallRecord[]; scope: FeedScope | undefined },
): Promise<FeedHead | undefined> {
  const records = relation(
    'g',
    given.records.map(({ key, line, ...record }, position) => ({
      ...record,
      position,
      scope: key?.scope,
      key: key?.key,
      route: line?.route,
      userId: line?.userId,
      deviceId: line?.deviceId,
      subject: line?.subject,
      requestId: line?.requestId,
      isOnlyOfChanges: line?.isOnlyOfChanges,
    })),
    {
      scope: 'text',
      key: 'text',
      status: 'int',
      refusal: 'text',
      collection: 'text',
      docId: 'bigint',
      leftState: 'text',
      route: 'text',
      userId: 'bigint',
      deviceId: 'text',
      subject: 'text',
      requestId: 'text',
      isOnlyOfChanges: 'boolean',
      position: 'int',
    },
  )
  // PostgreSQL numbers a transaction with its first change.
  const statement = feedStatement(given.changes, given.scope, {
    sql: `, given as (
      select * from ${records.sql}
    ), kept as (
      update idempotency_keys k set status = g.status, refusal = g.refusal, collection = g.collection,
        doc_id = g.doc_id, left_state = g.left_state,
        version = case when g.status < 300 then (select version from own) end
      from given g where k.scope = g.scope and k.key = g.key
    ), audited as (
      insert into audit_log (user_id, device_id, route, subject, status, request_id)
      select user_id, device_id, route, subject, status, request_id from given
      where route is not null and (not is_only_of_changes or pg_current_xact_id_if_assigned() is not null)
      order by position
    )`,
    bindings: records.bindings,
    shape: records.shape,
  })
  const { rows } = await trx
    .raw(statement.sql, statement.bindings)
    .options({ name: `record-calls-${statement.shape}${records.shape}` })
  return headFrom(rows, given.scope)
}
