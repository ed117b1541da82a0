import type { Knex } from 'knex'
import type { Application } from '#shared/applications/application-calls.ts'
import { stateOf } from '#shared/record/basis.ts'
import type { Ruling } from '#shared/contract/problem.ts'
import { decided, isKeptQuiet, judgeDecision } from '#shared/applications/decide.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { signedIn } from '../calls/access.ts'
import { handlerOfMany, type HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { cancelMails, type NewMail, queueMails } from '../mail/mail-store.ts'
import { queueDecisionPushes } from './alerts/decision-news.ts'
import { presentApplication } from './application-presenter.ts'
import {
  findToDecideOn,
  listDecided,
  mailHoldMs,
  recordDecisions,
  type DecidedApplication,
  type NewDecision,
  type Recorded,
  type ToDecideOn,
} from './application-store.ts'

type Call = HandlerCall<'decideApplication'>
type Answer = Application | ProblemError

/**
 * A repeated decision succeeds and changes nothing; one made on an older decision is a conflict that shows the newer
 * one.
 */
export const decideApplication = handlerOfMany<'decideApplication'>(async (given, room) => {
  const [first] = given
  if (!first) return []
  const { db } = first
  const { userId } = signedIn(first)
  const ids = given.map(({ params }) => params.beaconId)
  const byId = await findToDecideOn(db, ids, userId)
  const meant = ids.map((id) => byId.get(id))
  const found = meant.slice(0, fitting(meant, room))
  const calls = given.slice(0, found.length)
  const judged = calls.map((call, index) => {
    const application = found[index]
    return application ? { call, userId, application, ruling: judge(application, call) } : { call, userId }
  })

  const decisions: (NewDecision & { readonly call: Call; readonly isCounted: boolean })[] = []
  for (const { call, userId, application, ruling } of judged) {
    if (!application || ruling !== 'change') continue
    const { status, basis, decisionNumber } = decided(application, call.body.status, stateOf(call.key ?? ''))
    decisions.push({
      call,
      row: application,
      status,
      basis,
      decisionNumber,
      decidedBy: userId,
      device: call.device,
      now: call.now,
      // A rejected applicant was never counted.
      isCounted: [application.status, status].includes('approved'),
      ...countedToday(application, call.now),
    })
  }

  const recorded = await recordDecisions(db, decisions)
  const current = new Map<number, DecidedApplication>(recorded.map((one) => [one.row.id, one]))
  const left = judged.flatMap(({ application, ruling }) =>
    application && !current.has(application.id) && !(ruling instanceof ProblemError) ? [application.id] : [],
  )
  for (const one of await listDecided(db, left)) current.set(one.row.id, one)
  for (const { call, row: before, isCounted } of decisions) {
    call.touch({ what: 'application', id: before.id, organizerId: userId })
    if (isCounted) call.touch({ what: 'opening', id: before.eventId, organizerId: userId })
  }
  await queueDecisionMails(db, decisions, recorded)
  const answers = judged.map(({ application, ruling }): Answer => {
    if (!application || !ruling) return new ProblemError('not_found', 'Application not found')
    if (ruling instanceof ProblemError) return ruling
    const shown = presentApplication(current.get(application.id) as DecidedApplication)
    if (typeof ruling === 'string') return shown
    return new ProblemError(ruling.refused, ruling.message, { current: shown })
  })
  return given.map((_, index) => answers[index] ?? 'untouched')
})

/** How many fit into `room` bytes; at least one. */
function fitting(meant: readonly (ToDecideOn | undefined)[], room: number): number {
  let used = 0
  const end = meant.findIndex((one) => {
    const isFull = used > room
    used += one === undefined ? 0 : Buffer.byteLength(JSON.stringify(one))
    return isFull
  })
  return end === -1 ? meant.length : Math.max(end, 1)
}

/** Per application and day (UTC). */
const mostDecisionsPerDay = 100
const dayMs = 86_400_000

const countedToday = ({ decidedDay, decidedTimes }: ApplicationRow, now: Date) => {
  const today = Math.floor(now.getTime() / dayMs)
  return { decidedDay: today, decidedTimes: (decidedDay === today ? decidedTimes : 0) + 1 }
}

function judge(row: ApplicationRow, { body, basis, now }: Call): Ruling | ProblemError {
  const ruling = judgeDecision(row, body.status, basis)
  if (ruling !== 'change' || countedToday(row, now).decidedTimes <= mostDecisionsPerDay) return ruling
  const message = `This application was decided on ${mostDecisionsPerDay} times today. It can be again tomorrow.`
  return new ProblemError('too_many_requests', message, {
    retryAfterSeconds: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000),
  })
}

export const mailKey = (row: ApplicationRow) => `decision-mail:${row.id}:${row.decisionNumber}`

/**
 * A held mail is cancelled: its decision was never heard of, so the next mail starts from what was known before.
 * `knownStatus` equal to `toStatus` means no news.
 */
async function queueDecisionMails(
  trx: Knex,
  decisions: readonly (NewDecision & { readonly call: Call })[],
  recorded: readonly Recorded[],
): Promise<void> {
  const before = decisions.flatMap(({ row }) => (row.decisionNumber > 0 ? [mailKey(row)] : []))
  const unheard = await cancelMails(trx, before)
  const mails = decisions.flatMap((decision, index): (NewMail & Pick<Recorded, 'isAwaited'>)[] => {
    if (isKeptQuiet(decision.row, decision.call.body)) return []
    const { row, now } = decision
    const { row: after, isAwaited } = recorded[index] as Recorded
    return [
      {
        kind: 'decision',
        key: mailKey(after),
        to: { name: `${after.firstName} ${after.lastName}`, address: after.email },
        eventId: after.eventId,
        applicationId: after.id,
        payload: {
          applicationId: after.id,
          decisionNumber: after.decisionNumber,
          knownStatus: unheard.get(mailKey(row))?.['knownStatus'] ?? row.status,
          toStatus: after.status,
        },
        sendAt: new Date(now.getTime() + mailHoldMs),
        mayHaveLeft: decision.call.again,
        isAwaited,
      },
    ]
  })
  await queueMails(trx, mails)
  await queueDecisionPushes(
    trx,
    mails.filter((mail) => mail.isAwaited),
  )
}
