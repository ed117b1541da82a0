import type { Knex } from 'knex'
import type { ProblemCode } from '#shared/contract/problem.ts'
import { relation, type Writing } from '../db/column-names.ts'
import { feedStatement, headFrom, type Change, type FeedHead, type FeedScope } from '../feed/change-feed.ts'
import type { CallFrom, DocumentRouteName, SessionWish } from './handler.ts'
import type { ClaimedKey } from './idempotency.ts'
import { ProblemError } from './problems.ts'
import type { ValidInput } from './validation.ts'
import { runPrepared } from '../db/prepared.ts'

export interface AuditLine {
  readonly userId: number | null
  readonly deviceId: string | null
  readonly route: DocumentRouteName
  readonly subject: string | null
  readonly requestId: string
  /** It is true if the line is kept only where the transaction has written something. */
  readonly isOnlyOfChanges: boolean
}

interface Audited {
  readonly name: DocumentRouteName
  readonly call: CallFrom
  readonly input: ValidInput | null
  readonly key: ClaimedKey | null
}

export function auditLine({ name, call, input, key }: Audited, session: SessionWish | undefined): AuditLine {
  const [subject] = Object.values((input?.params ?? {}) as Record<string, string | number>)
  const signedIn = typeof session === 'object' && 'signIn' in session ? session.signIn : null
  const userId = call.caller?.userId ?? signedIn
  return {
    userId,
    deviceId: call.device?.id ?? null,
    route: name,
    subject: subject === undefined ? null : String(subject),
    requestId: call.requestId,
    isOnlyOfChanges: userId === null && key === null,
  }
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
 * Writes feed, answers, audit and what a handler left to it in one statement, because it holds the locks of the feed from here on.
 * @param scope the sender's own, whose head is answered
 */
export async function recordCalls(
  trx: Knex.Transaction,
  given: {
    changes: readonly Change[]
    records: readonly CallRecord[]
    scope: FeedScope | undefined
    writing: Writing | undefined
  },
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
  const { writing } = given
  // PostgreSQL numbers a transaction with its first change.
  const statement = feedStatement(given.changes, given.scope, {
    sql: `${writing ? `, ${writing.sql}` : ''}, given as (
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
    bindings: [...(writing?.bindings ?? []), ...records.bindings],
    shape: `${records.shape}-${writing?.shape ?? ''}`,
    select: writing && `union all select null, count(*), null, null, null from ${writing.written}`,
  })
  const rows = await runPrepared<{ scope: string | null; version: number }>(
    trx,
    `record-calls-${statement.shape}`,
    statement.sql,
    statement.bindings,
  )
  if (writing) checkWritten(writing, rows.find(({ scope }) => scope === null)?.version ?? 0)
  return headFrom(rows, given.scope)
}

/** Throws `unavailable`: the call is to be made again, as it was the first time. */
function checkWritten({ count }: Writing, written: number): void {
  if (written !== count)
    throw new ProblemError('unavailable', 'This is being changed right now.', { retryAfterSeconds: 1 })
}

/** Writes what other calls of the transaction are to read. */
export async function writeNow(trx: Knex, writing: Writing): Promise<void> {
  const { sql, bindings, shape, written } = writing
  const statement = `with ${sql} select count(*) as count from ${written}`
  const [row] = await runPrepared<{ count: number }>(trx, `${written}-${shape}`, statement, bindings)
  checkWritten(writing, row?.count ?? 0)
}
