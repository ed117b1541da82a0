import type { Knex } from 'knex'
import { isAddressed } from '#shared/applications/message.ts'
import { messageMessage } from '../../alerts/alert-message.ts'
import { deliver, type PushTaskDeps } from '../../alerts/send-push.ts'
import type { ApplicantPhoneRow } from '../../db/rows/message-rows.ts'
import { findEvent } from '../../events/event-store.ts'
import { insertJobs } from '../../jobs/job-store.ts'
import type { Task } from '../../jobs/worker.ts'
import { findMessage } from '../message-store.ts'

export const messagePushKind = 'message-push'
export const sendMessagePushKind = 'send-message-push'

/** A device may be off for a day. */
const newsSeconds = 24 * 3600

/** Makes a job for each device of the people that a message goes to, when it leaves. */
export function gatherMessagePushes({ db }: Pick<PushTaskDeps, 'db'>): Task {
  return async (job) => {
    const messageId = Number(job.payload['messageId'])
    await db.transaction(async (trx) => {
      const message = await findMessage(trx, messageId)
      if (!message || message.cancelledAt !== null) return
      const phones = await trx('applicant_phones')
        .whereRaw('application_id = any(?::bigint[])', [message.applicationIds as unknown as Knex.Value])
        .orderBy('id')
      await insertJobs(
        trx,
        phones.map(({ id }) => ({
          kind: sendMessagePushKind,
          key: `${sendMessagePushKind}:${messageId}:${id}`,
          payload: { messageId, phoneId: id },
        })),
      )
    })
    return undefined
  }
}

export function sendMessagePush(deps: PushTaskDeps): Task {
  return async (job, run) => {
    const { db, config } = deps
    const message = await findMessage(db, Number(job.payload['messageId']))
    const phone: ApplicantPhoneRow | undefined = await db('applicant_phones')
      .where({ id: Number(job.payload['phoneId']) })
      .first()
    const application = phone && (await db('applications').where({ id: phone.applicationId }).first())
    const event = application && (await findEvent(db, application.eventId))
    if (!message || message.cancelledAt !== null || !phone || !event) return undefined
    if (!isAddressed(application, message.audience, event, message.createdAt)) return undefined
    const push = messageMessage({
      messageId: message.id,
      application,
      eventName: event.name,
      publicOrigin: config.publicOrigin,
    })
    await deliver(deps, job, run, { table: 'applicant_phones', row: phone }, push, newsSeconds)
    return undefined
  }
}
