import type { EventMail, MailLog } from '#shared/mail/mail-calls.ts'
import { Refused, type questions, type replicaState, serverNow } from '../sync/index.ts'

export interface KnownLog extends MailLog {
  /** The server's clock is ahead of this device's by this. */
  readonly aheadMs: number
}

const second = 1000
/** The worker takes this long to write and hand over a due mail. */
const workMs = 1200
const maxTries = 6
/** No poll is planned further ahead: coming back to the page asks anyway. */
const longestWaitMs = 3_600_000

/** No steady poll: the log itself, or the replica's news, gives reason to ask again. */
export const whileShown: questions.RefetchOptions<KnownLog> = {
  visible: true,
  reachable: 'always',
  // Several decisions arrive one after the other.
  settleMs: 500,
  againMs: ({ mails, at }, tries) => nextPollMs(mails, Date.parse(at), tries),
}

/**
 * Counts the time until the next waiting mail is due, or a few polls at growing intervals while one is being sent. Null
 * means that nothing is expected.
 * @param serverNow in milliseconds
 * @param tries polls so far for mails that are being sent
 */
export function nextPollMs(
  mails: readonly Pick<EventMail, 'state' | 'sendAt'>[],
  serverNow: number,
  tries: number,
): number | null {
  let next = Infinity
  for (const { state, sendAt } of mails) {
    if (state !== 'held' && state !== 'queued' && state !== 'sending') continue
    const leftMs = Date.parse(sendAt) - serverNow
    if (leftMs > 0 && state !== 'sending') next = Math.min(next, leftMs + workMs)
    else if (tries < maxTries) next = Math.min(next, second * 2 ** tries)
  }
  return next <= longestWaitMs ? next : null
}

export async function knownLog(told: Promise<MailLog>): Promise<KnownLog> {
  const log = await told.catch((error: unknown) => {
    // An event that the server does not have yet has sent no mail.
    if (error instanceof Refused && error.status === 404) return emptyLog(serverNow().getTime())
    throw error
  })
  return { ...log, aheadMs: Date.parse(log.at) - serverNow().getTime() }
}

function emptyLog(at: number): MailLog {
  return {
    mails: [],
    counts: { held: 0, queued: 0, sending: 0, sent: 0, failed: 0, cancelled: 0 },
    delivery: 'smtp',
    at: new Date(at).toISOString(),
  }
}

type ReplicaState = ReturnType<typeof replicaState.get>
type Applications = ReplicaState['applications']
const newestOf = new WeakMap<Applications, ReadonlyMap<number, number>>()

/** Runs once per change of the replica. */
function newestByEvent(applications: Applications): ReadonlyMap<number, number> {
  const known = newestOf.get(applications)
  if (known) return known
  const newest = new Map<number, number>()
  for (const { eventId, version } of applications) newest.set(eventId, Math.max(newest.get(eventId) ?? 0, version))
  newestOf.set(applications, newest)
  return newest
}

/** Grows with anything that mails may follow from. */
export function newsOf(
  { events, applications }: Pick<ReplicaState, 'events' | 'applications'>,
  eventId: number,
): number {
  const event = events.find(({ id }) => id === eventId)?.version ?? 0
  return Math.max(event, newestByEvent(applications).get(eventId) ?? 0)
}
