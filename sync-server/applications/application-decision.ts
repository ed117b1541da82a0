import type { Knex } from 'knex'
import { stateOf } from '#shared/record/basis.ts'
import type { Ruling } from '#shared/contract/problem.ts'
import { decided, isKeptQuiet, judgeDecision } from '#shared/applications/decide.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { signedIn } from '../calls/access.ts'
import type { HandlerCall, MadeAtOnce } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { cancelMails, type NewMail } from '../mail/mail-store.ts'
import { changesOfShown, presentApplication } from './application-presenter.ts'
import {
  afterDecision,
  cleanUpAgain,
  decisionsWriting,
  findToDecideOn,
  mailHoldMs,
  type NewDecision,
} from './application-store.ts'

type Call = HandlerCall<'decideApplication'>

/**
 * A repeated decision succeeds and changes nothing; one made on an older decision is a conflict that shows the newer
 * one.
 */
export async function decideApplications(given: readonly Call[]): Promise<MadeAtOnce<'decideApplication'>> {
  const [first] = given
  if (!first) return { answers: [] }
  const { db } = first
  const { userId, organizerId } = signedIn(first)
  const ids = given.map(({ params }) => params.beaconId)
  const byId = await findToDecideOn(db, ids, organizerId)
  const judged = given.map((call) => {
    const application = byId.get(call.params.beaconId)
    return application ? { call, userId, application, ruling: judge(application.row, call) } : { call, userId }
  })

  const decisions: (NewDecision & { readonly call: Call })[] = []
  for (const { call, userId, application: before, ruling } of judged) {
    if (!before || ruling !== 'change') continue
    const { row } = before
    const { status, basis, decisionNumber } = decided(row, call.body.status, stateOf(call.key ?? ''))
    decisions.push({
      call,
      before,
      status,
      basis,
      decisionNumber,
      decidedBy: userId,
      device: call.device,
      now: call.now,
      ...countedToday(row, call.now),
    })
  }

  const late = judged.flatMap(({ application, ruling }) =>
    application?.row.wasCleanedUp && ruling === 'change' ? [application.row.eventId] : [],
  )
  if (late.length > 0) await cleanUpAgain(db, late)
  const writing = decisions.length > 0 ? decisionsWriting(decisions, await decisionMails(db, decisions)) : undefined
  const after = new Map(
    decisions.map((decision) => {
      const one = afterDecision(decision)
      return [one.row.id, { ...one, application: presentApplication(one) }]
    }),
  )
  const changes = await changesOfShown([...after.values()], organizerId)
  for (const { call, before } of decisions)
    call.touch({ what: 'application', id: before.row.id, organizerId, changes: changes.get(before.row.id) })
  const answers = judged.map(({ application, ruling }) => {
    if (!application || !ruling) return new ProblemError('not_found', 'Application not found')
    if (ruling instanceof ProblemError) return ruling
    const shown = after.get(application.row.id)?.application ?? presentApplication(application)
    if (typeof ruling === 'string') return shown
    return new ProblemError(ruling.refused, ruling.message, { current: shown })
  })
  return { answers, writing }
}

/** Limits the decisions on one application on one day (UTC). */
const maxDecisionsPerDay = 100
const dayMs = 86_400_000

const countedToday = ({ decidedDay, decidedTimes }: ApplicationRow, now: Date) => {
  const today = Math.floor(now.getTime() / dayMs)
  return { decidedDay: today, decidedTimes: (decidedDay === today ? decidedTimes : 0) + 1 }
}

function judge(row: ApplicationRow, { body, basis, again, now }: Call): Ruling | ProblemError {
  const ruling = judgeDecision(row, body.status, basis, again)
  if (ruling !== 'change' || countedToday(row, now).decidedTimes <= maxDecisionsPerDay) return ruling
  const message = `This application was decided on ${maxDecisionsPerDay} times today. You can decide again tomorrow.`
  return new ProblemError('too_many_requests', message, {
    retryAfterSeconds: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000),
  })
}

export const mailKey = (row: Pick<ApplicationRow, 'id' | 'decisionNumber'>) =>
  `decision-mail:${row.id}:${row.decisionNumber}`

/**
 * Makes the mails about decisions that are about to be recorded. A held mail is cancelled: its decision was never heard
 * of, so the next mail starts from what was known before. `knownStatus` equal to `toStatus` means no news.
 */
export async function decisionMails(
  trx: Knex,
  decisions: readonly (NewDecision & { readonly call: Pick<Call, 'body' | 'again'> })[],
): Promise<NewMail[]> {
  const former = decisions.flatMap(({ before: { row } }) => (row.decisionNumber > 0 ? [mailKey(row)] : []))
  const unheard = await cancelMails(trx, former)
  return decisions
    .filter(({ before: { row }, call }) => !isKeptQuiet(row, call.body))
    .map(({ before: { row }, status: toStatus, decisionNumber, now, call }) => ({
      kind: 'decision',
      key: mailKey({ id: row.id, decisionNumber }),
      to: { name: `${row.firstName} ${row.lastName}`, address: row.email },
      eventId: row.eventId,
      applicationId: row.id,
      payload: {
        applicationId: row.id,
        decisionNumber,
        knownStatus: unheard.get(mailKey(row))?.['knownStatus'] ?? row.status,
        toStatus,
      },
      sendAt: new Date(now.getTime() + mailHoldMs),
      mayHaveLeft: call.again,
    }))
}
