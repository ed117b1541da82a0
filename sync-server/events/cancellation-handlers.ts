import { judgeCancellation, judgeTakingBack } from '#shared/events/cancellation.ts'
import type { OrganizerEvent } from '#shared/events/event-calls.ts'
import type { HandlerCall, Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { queueCancellationMails, queueReinstatementMails } from './change-mails.ts'
import { requireOwnerForChange } from './event-policy.ts'
import { presentOrganizerEvent } from './event-presenter.ts'
import { changeEvent } from './event-store.ts'

type Call = HandlerCall<'cancelEvent' | 'reinstateEvent'>

/** The edition grows, because calendars take the higher sequence for the newer. */
async function change(call: Call, row: EventRow, cancelledAt: Date | null): Promise<OrganizerEvent> {
  const changed = await changeEvent(call.db, row.id, { cancelledAt, edition: row.edition + 1 }, call.now)
  call.touch({ what: 'event', id: row.id, organizerId: row.organizerId })
  return presentOrganizerEvent(changed)
}

export const cancellationHandlers = {
  cancelEvent: {
    shows: 'events',
    make: async (call) => {
      const row = await requireOwnerForChange(call.db, call.caller, call.params.id)
      const ruling = judgeCancellation(row, call.now)
      if (ruling === 'already') return presentOrganizerEvent(row)
      if (ruling !== 'change') throw new ProblemError(ruling.refused, ruling.message)
      const { now, again } = call
      await queueCancellationMails(call.db, row, { now, again, cancelledAt: now })
      return await change(call, row, now)
    },
  },

  reinstateEvent: {
    shows: 'events',
    make: async (call) => {
      const row = await requireOwnerForChange(call.db, call.caller, call.params.id)
      const ruling = judgeTakingBack(row.cancelledAt, call.now)
      if (ruling === 'already' || row.cancelledAt === null) return presentOrganizerEvent(row)
      if (ruling !== 'change') throw new ProblemError(ruling.refused, ruling.message)
      const { now, again } = call
      await queueReinstatementMails(call.db, row, { now, again, cancelledAt: row.cancelledAt })
      return await change(call, row, null)
    },
  },
} satisfies Partial<Handlers>
