import { relation } from '../db/column-names.ts'
import type { Knex } from 'knex'
import type { KeyScope, StoredAnswer } from './idempotency.ts'

/** Never what was written. */
export interface AuditLine {
  readonly userId: number | null
  readonly deviceId: string | null
  readonly route: string
  /** The number in the call's path. */
  readonly subject: string | null
  readonly status: number
  readonly requestId: string
}

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

export interface KeptAnswer {
  readonly scope: KeyScope
  readonly key: string
  readonly answer: StoredAnswer
  readonly leftState: string | null
  readonly line: AuditLine | null
}

/** One statement for all, because the transaction holds the locks of the change feed by now. */
export async function storeAnswers(trx: Knex.Transaction, kept: readonly KeptAnswer[]): Promise<void> {
  if (kept.length === 0) return
  const given = relation(
    'g',
    kept.map(({ scope, key, answer, leftState, line }, position) => ({
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
      position,
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
      position: 'int',
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
       select user_id, device_id, route, subject, status, request_id from given where route is not null order by position`,
      given.bindings,
    )
    .options({ name: 'store-answers' })
}
