import type { Knex } from 'knex'
import { FORGOTTEN } from './idempotency.ts'
import type { Problem } from '#shared/contract/problem.ts'

export interface AnswersAbout {
  readonly userId?: number
  readonly emails?: readonly string[]
  /** Their own documents, under whatever address they once had. */
  readonly applications?: readonly { readonly id: number; readonly eventId: number }[]
}

const forgotten: Problem = {
  code: 'not_found',
  message: 'What was answered then has been deleted together with the person it was about.',
  requestId: 'deleted',
}

/** The keys stay, so that a change sent again happens no second time. Reads every stored answer once. */
export async function forgetAnswers(trx: Knex, { userId, emails = [], applications = [] }: AnswersAbout) {
  const scope = userId === undefined ? null : `user:${userId}`
  const account = userId === undefined ? null : `{"id":${userId},"username":%`
  const documents = applications.map(({ id, eventId }) => `{"id":${id},"eventId":${eventId},%`)
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `update idempotency_keys set status = 404, body = ?, request_hash = '${FORGOTTEN}'
     where body is not null and body <> ? and (scope = ? or body like ?
       or body like any(?::text[])
       or exists (select from unnest(?::text[]) e (mail) where position(lower(e.mail) in lower(body)) > 0))`,
    [
      JSON.stringify(forgotten),
      JSON.stringify(forgotten),
      scope,
      account,
      documents,
      emails.map((email) => JSON.stringify(email).slice(1, -1)),
    ] as unknown as Knex.Value[],
  )
  return rowCount
}
