import { relation } from '../db/column-names.ts'
import type { Knex } from 'knex'
import type { KeyScope, StoredAnswer } from './idempotency.ts'

/** One line of the audit table: who called what from where, and what came of it. Never what was written. */
export interface AuditLine {
  readonly userId: number | null
  readonly deviceId: string | null
  readonly route: string
  /** What the call was about: the number in its path. */
  readonly subject: string | null
  readonly status: number
  readonly requestId: string
}

/** Appends a line, if there is one, in the transaction of the call. */
export async function writeAudit(trx: Knex.Transaction, line: AuditLine | null): Promise<void> {
  if (line === null) return
  await trx
    .raw('insert into audit_log (user_id, device_id, route, subject, status, request_id) values (?, ?, ?, ?, ?, ?)', [
      line.userId,
      line.deviceId,
      line.route,
      line.subject,
      line.status,
      line.requestId,
    ] as Knex.Value[])
    .options({ name: 'audit' })
}

/** An answer to be kept, with whose it is and its line. */
export interface KeptAnswer {
  readonly scope: KeyScope
  readonly key: string
  readonly answer: StoredAnswer
  /** As `Result.leftState`. */
  readonly leftState: string | null
  readonly line: AuditLine | null
}

/**
 * Keeps the answers of a transaction's keyed calls beside their effects and appends their lines; not each has one. One
 * statement, because by now the transaction holds the locks of the change feed, which every other writer of the scope waits for.
 */
export async function storeAnswers(trx: Knex.Transaction, kept: readonly KeptAnswer[]): Promise<void> {
  if (kept.length === 0) return
  const given = relation(
    'g',
    kept.map(({ scope, key, answer, leftState, line }, place) => ({
      scope,
      key,
      status: answer.status,
      body: answer.text,
      version: answer.version,
      leftState,
      userId: line?.userId,
      deviceId: line?.deviceId,
      route: line?.route,
      subject: line?.subject,
      requestId: line?.requestId,
      place,
    })),
    {
      scope: 'text',
      key: 'text',
      status: 'int',
      body: 'text',
      version: 'bigint',
      leftState: 'text',
      userId: 'bigint',
      deviceId: 'text',
      route: 'text',
      subject: 'text',
      requestId: 'text',
      place: 'int',
    },
  )
  await trx
    .raw(
      `with given as (
         select * from ${given.sql}
       ), kept as (
         update idempotency_keys k set status = g.status, body = g.body, version = g.version, left_state = g.left_state
         from given g where k.scope = g.scope and k.key = g.key
       )
       insert into audit_log (user_id, device_id, route, subject, status, request_id)
       select user_id, device_id, route, subject, status, request_id from given where route is not null order by place`,
      given.bindings,
    )
    .options({ name: 'store-answers' })
}
