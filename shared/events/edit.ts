import type { Refused, Ruling } from '../contract/problem.ts'
import { fitsBasis, type Basis } from '../record/basis.ts'
import { isUpcoming } from '../time/event-time.ts'

interface Edited {
  /** Names the state after the latest edit; null before the first. */
  readonly basis: string | null
  /** Counts writes, the creation included. */
  readonly edition: number
}

const conflict: Refused = { refused: 'conflict', message: 'This event was changed on another device in the meantime.' }

/** An edit on an older state is a conflict, unless all is as it wishes. @param again see `judgeDecision` */
export function judgeEdit({ basis: present }: Edited, isAlready: boolean, basis: Basis, again = false): Ruling {
  const fits = fitsBasis(present, basis)
  if (isAlready && (fits || !again)) return 'already'
  return fits ? 'change' : conflict
}

/** It takes nothing along that its maker has not seen. */
export function judgeDeletion({ basis: present }: Edited, basis: Basis): 'change' | Refused {
  return fitsBasis(present, basis) ? 'change' : conflict
}

type Days = Parameters<typeof isUpcoming>[0]

/**
 * An event that is over is not moved into the future: its applications were for its day. Without applications its day was
 * a slip, which can be put right.
 */
export function judgeMove(before: Days, after: Days, hasApplications: boolean, now: Date): Refused | undefined {
  if (!hasApplications || isUpcoming(before, now) || !isUpcoming(after, now)) return undefined
  return { refused: 'not_allowed_now', message: 'This event has already ended. Please create a new event.' }
}

/** @param state names what the edit leaves behind */
export function edited<E extends Edited, F extends object>(event: E, fields: F, state: string): E & F {
  return { ...event, ...fields, basis: state, edition: event.edition + 1 }
}
