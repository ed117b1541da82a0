import type { EventDays } from '../time/event-time.ts'
import { saysComing } from './coming.ts'
import type { ApplicationStatus } from './decide.ts'
import { isThere, type Presence } from './presence.ts'

/** Limits the characters of a message to Beacons. */
export const maxMessageLength = 1_000
/** People one message goes to. */
export const maxRecipients = 1_000
/** A message can be taken back for this long after the server has it, in milliseconds. */
export const messageHoldMs = 60_000

/** `selected` are people whom the organizer chose one by one. */
export const audiences = ['approved', 'coming', 'silent', 'here', 'pending', 'selected'] as const
export type Audience = (typeof audiences)[number]

interface Addressee {
  readonly status: ApplicationStatus
  readonly withdrawnAt: unknown
  readonly coming?: boolean | null | undefined
  readonly arrivedAt: Date | string | null
  readonly presence?: Presence | undefined
}

/**
 * Tells whether a message to the audience goes to this person. It is asked when the message is written, when the server
 * takes it and when it leaves, so that it reminds no one of an answer that they have given since.
 *
 * @param writtenAt says of which day of the event it is asked who is there
 */
export function isAddressed(person: Addressee, audience: Audience, event: EventDays, writtenAt: Date): boolean {
  const { status, withdrawnAt, presence } = person
  if (withdrawnAt !== null || status === 'rejected') return false
  if (audience === 'selected') return true
  if (audience === 'pending') return status === 'pending'
  if (status !== 'approved') return false
  if (audience === 'coming') return saysComing(person) === true
  if (audience === 'silent') return saysComing(person) === undefined
  if (audience === 'approved') return true
  const arrivedAt = person.arrivedAt === null ? null : new Date(person.arrivedAt).toISOString()
  return isThere({ arrivedAt, presence }, event, writtenAt)
}
