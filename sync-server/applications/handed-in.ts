import type { Knex } from 'knex'
import { applicationsClosedMessage } from '#shared/time/event-time.ts'
import type { ProblemCode } from '#shared/contract/problem.ts'
import { deviceScope } from '../calls/call.ts'
import type { HandlerCall, HandlerObject } from '../calls/handler.ts'
import { claimKeys, keyRows, requestTarget, type ClaimedKey } from '../calls/idempotency.ts'
import { ProblemError } from '../calls/problems.ts'
import { requireOwner } from '../events/event-policy.ts'
import { isVisible } from '../events/event-store.ts'
import { takeApplication } from './application-creation.ts'
import { presentApplication } from './application-presenter.ts'
import { findApplied, listDecided } from './application-store.ts'
import { tokenOf } from './application-token.ts'

type Call = HandlerCall<'handInApplication'>

/**
 * An organizer's phone brings what a volunteer's phone would send, under that phone's own key: whichever comes first
 * makes the application, and the other one finds it. A refusal is the organizer's alone, so that the volunteer's phone
 * still hears its own.
 */
export const handInApplication: HandlerObject<'handInApplication'> = {
  shows: 'applications',
  // Also keeps the call alone in its transaction, so that two phones never wait for each other's keys.
  find: async ({ db, caller, params }) => void (await requireOwner(db, caller, params.id)),
  make: async (call) => {
    const event = await requireOwner(call.db, call.caller, call.params.id)
    if (!(await isVisible(call.db, event.id))) throw new ProblemError('not_allowed_now', applicationsClosedMessage)
    const id = await underVolunteersKey(call)
    const [application] = await listDecided(call.db, [id])
    if (!application) throw new ProblemError('not_found', `${nameOf(call)} has deleted this application since.`)
    return presentApplication(application)
  },
  present: async ({ db }, { docId }) => {
    const [application] = docId === null ? [] : await listDecided(db, [docId])
    if (!application) throw new ProblemError('not_found', 'Application not found')
    return presentApplication(application)
  },
}

/** Returns the application's id, 0 where there is none any more. */
async function underVolunteersKey(call: Call): Promise<number> {
  const { params, body } = call
  // A mutating route's db is its transaction.
  const trx = call.db as Knex.Transaction
  const claimed: ClaimedKey = {
    scope: deviceScope({ id: body.deviceId, name: '' }),
    key: body.key.toLowerCase(),
    target: requestTarget('applyAsBeacon', { eventId: params.id }),
    feedScope: null,
  }
  const known = (await claimKeys(trx, [claimed])).get(claimed)
  if (known instanceof ProblemError) throw known.code === 'cancelled' ? refused(call, known.code) : known
  if (known?.refusal) throw refused(call, known.refusal)
  if (known) return known.docId ?? 0
  const id = await take(call, claimed.key)
  await keyRows(trx, [claimed]).update({ status: 201, docId: id })
  return id
}

async function take(call: Call, key: string): Promise<number> {
  const { db, params, body, again } = call
  const earlier = await findApplied(db, params.id, body.application.email)
  if (earlier && earlier.id !== body.application.id) throw refused(call, 'duplicate_application')
  // After a restore the organizer's word counts, where the volunteer's phone would show its token.
  const token = again && body.application.id !== undefined ? await tokenOf(db, body.application.id, key) : undefined
  try {
    const applying = { ...call, params: { eventId: params.id }, body: { ...body.application, token }, key }
    return (await takeApplication(applying)).row.id
  } catch (error) {
    if (error instanceof ProblemError && words[error.code]) throw refused(call, error.code)
    throw error
  }
}

const nameOf = ({ body: { application } }: Call) => `${application.firstName} ${application.lastName}`.trim()

/** The organizer reads these, and cannot correct what the volunteer wrote. */
const words: Partial<Record<ProblemCode, (name: string) => string>> = {
  duplicate_application: (name) => `${name} has already applied with this email address.`,
  cancelled: (name) => `${name} has discarded this application.`,
  already_exists: (name) => `This application cannot be added from here. Ask ${name} to send it from their own phone.`,
  invalid_input: (name) => `Something is missing in this application. Ask ${name} to correct it on their own phone.`,
}

function refused(call: Call, code: ProblemCode): ProblemError {
  return new ProblemError(code, words[code]?.(nameOf(call)) ?? applicationsClosedMessage)
}
