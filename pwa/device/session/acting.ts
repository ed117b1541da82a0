import { type Acting, actFor, actingNow } from '../../browser/acting.ts'
import { includesRole, type Role } from '#shared/contract/roles.ts'
import { parsed } from '#shared/text/parsed.ts'
import { readText, writeText } from '../../browser/browser-storage.ts'

/** It is in localStorage, which answers at every start. */
const name = 'beaconry/acting'

const leftName = 'beaconry/team-left'

interface Kept extends Acting {
  readonly userId: number
}

function readKept(userId: number): Acting | null {
  const kept = parsed(readText(name) ?? '') as Kept | undefined
  if (kept?.userId !== userId) return null
  const { organizerId, role, name: organizer } = kept
  return { organizerId, role, name: organizer }
}

/** Called before the account is opened. */
export function beginActing(userId: number): void {
  actFor(readKept(userId))
}

/** @returns whether another tab has chosen another organizer since this page began */
export function hasOtherTabChosen(userId: number): boolean {
  return JSON.stringify(readKept(userId)) !== JSON.stringify(actingNow())
}

/**
 * Shows another organizer's events from the next page on, which is loaded at once. The copy of the one before is deleted
 * then, so that without a network there would be nothing to show.
 * @param member null: one's own events
 */
export function actAs(userId: number, member: Acting | null, path = '/dashboard'): void {
  writeText(name, member && JSON.stringify({ userId, ...member } satisfies Kept))
  location.assign(path)
}

/** A sign-out calls it. */
export function forgetActing(): void {
  writeText(name, null)
  forgetTeamLeft()
}

interface TeamLeft {
  readonly userId: number
  readonly organizer: string
}

/** Holds the organizer's name until the person has read that they are not on that team any more. */
export function noteTeamLeft(userId: number, organizer: string): void {
  writeText(leftName, JSON.stringify({ userId, organizer } satisfies TeamLeft))
}

/** @returns the organizer's name */
export function readTeamLeft(userId: number): string | null {
  const left = parsed(readText(leftName) ?? '') as TeamLeft | undefined
  return left?.userId === userId ? left.organizer : null
}

export function forgetTeamLeft(): void {
  writeText(leftName, null)
}

/** Whether the signed-in person may do what this role does; an owner may do everything. */
export function may(needed: Role | 'owner'): boolean {
  const acting = actingNow()
  if (!acting) return true
  return needed !== 'owner' && includesRole(acting.role, needed)
}

/** The name of what this device keeps for the account, or for the organizer that it acts for, begins with this. */
export function accountPrefix(userId: number | undefined): string {
  const acting = actingNow()
  return acting ? `user:${userId}/for:${acting.organizerId}/` : `user:${userId}/`
}
