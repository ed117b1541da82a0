import type { Knex } from 'knex'
import type { ApplicationRow } from '../../db/rows/application-rows.ts'
import { relation, type Relation } from '../../db/column-names.ts'
import { insertJobs, isSoon } from '../../jobs/job-store.ts'
import type { Task } from '../../jobs/worker.ts'
import { deliver, type PushTaskDeps } from '../../alerts/send-push.ts'
import { newsMessage } from '../../alerts/alert-message.ts'

export const decisionPushKind = 'decision-push'

interface DecisionMail {
  readonly applicationId?: number
  /** `decisionNumber`, `knownStatus`, `toStatus`. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly sendAt?: Date
  readonly mayHaveLeft?: boolean
}

/**
 * Gives a part of a larger statement's `with`: `push_jobs` for applicants whose phones wait, left to be queued by
 * `queueJobsFrom`. Alerts go with the mails: without news for the mail there is none for the phone. An overtaken
 * decision finds so when it is due.
 */
export function decisionPushesFrom(mails: readonly DecisionMail[]): Relation {
  const news = mails.filter(
    ({ payload, mayHaveLeft }) => !mayHaveLeft && payload['knownStatus'] !== payload['toStatus'],
  )
  const given = relation(
    'g',
    news.map(({ applicationId, payload, sendAt: runAt }) => {
      const decisionNumber = Number(payload['decisionNumber'])
      return {
        applicationId,
        key: `${decisionPushKind}:${applicationId}:${decisionNumber}`,
        payload: JSON.stringify({ applicationId, decisionNumber }),
        runAt,
        isSoon: isSoon(runAt),
      }
    }),
    { applicationId: 'bigint', key: 'text', payload: 'jsonb', runAt: 'timestamptz', isSoon: 'boolean' },
  )
  return {
    sql: `push_jobs as (
      select '${decisionPushKind}' as kind, g.key, g.payload, g.run_at, null::int as max_attempts, g.is_soon from ${given.sql}
      where exists (select from applicant_phones p where p.application_id = g.application_id)
    )`,
    bindings: given.bindings,
    shape: given.shape,
  }
}

export const newsKind = 'send-news'

/** A phone may be off for a day or two. */
const newsSeconds = 3 * 24 * 3600

export function gatherNews({ db }: Pick<PushTaskDeps, 'db'>): Task {
  return async (job) => {
    const { applicationId, decisionNumber } = readNews(job.payload)
    await db.transaction(async (trx) => {
      if (!(await findDecided(trx, applicationId, decisionNumber))) return
      const phones = await trx('applicant_phones').where({ applicationId }).orderBy('id')
      await insertJobs(
        trx,
        phones.map(({ id }) => ({
          kind: newsKind,
          key: `${newsKind}:${job.id}:${id}`,
          payload: { phoneId: id, applicationId, decisionNumber },
        })),
      )
    })
    return undefined
  }
}

/** Sends nothing after a later decision. */
export function sendNews(deps: PushTaskDeps): Task {
  return async (job, run) => {
    const { payload } = job
    const { db, config } = deps
    const { applicationId, decisionNumber } = readNews(payload)
    const phone = await db('applicant_phones')
      .where({ id: Number(payload['phoneId']) })
      .first()
    const application = await findDecided(db, applicationId, decisionNumber)
    if (!phone || !application) return undefined
    const message = newsMessage({ application, eventName: application.eventName, publicOrigin: config.publicOrigin })
    await deliver(deps, job, run, { table: 'applicant_phones', row: phone }, message, newsSeconds)
    return undefined
  }
}

const readNews = (payload: Readonly<Record<string, unknown>>) => ({
  applicationId: Number(payload['applicationId']),
  decisionNumber: Number(payload['decisionNumber']),
})

/** Undefined unless this is the latest decision, the applicant has not withdrawn and the event takes place. */
async function findDecided(
  db: Knex,
  applicationId: number,
  decisionNumber: number,
): Promise<(Pick<ApplicationRow, 'id' | 'eventId'> & { readonly eventName: string }) | undefined> {
  return (await db('applications')
    .join('events', 'events.id', 'applications.eventId')
    .where('applications.id', applicationId)
    .where('applications.decisionNumber', decisionNumber)
    .whereNull('applications.withdrawnAt')
    .whereNull('events.cancelledAt')
    .first('applications.id', 'applications.eventId', 'events.name as eventName')) as
    | (Pick<ApplicationRow, 'id' | 'eventId'> & { eventName: string })
    | undefined
}
