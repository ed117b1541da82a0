import { useCallback, useMemo, useRef } from 'react'
import type { Decision } from '#shared/domain/application-status.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { decideApplication } from '../../outbox/mutations/decide-application.ts'
import { outbox } from '../../outbox/outbox.ts'
import type { ApplicationRow } from '../../replica/rows.ts'
import { announce } from '../../ui/live-region.tsx'
import { toast } from '../../ui/toast.ts'
import { fullName } from './applicant.ts'
import type { DecisionActions } from './decision-buttons.tsx'

const decisionBuzzMs = 15
const undoBuzzMs = [10, 40, 10]

function failed(error: unknown): void {
  toast({
    title: 'Status Update Failed',
    description: saveFailureText(error),
    variant: 'destructive',
  })
}

/** Takes a decision back without a trace where it never left, else by asking the server to forbid it. */
async function takeBack(seq: number): Promise<'undone' | 'unknown' | 'too-late'> {
  if ((await outbox.undo(seq)) === 'undone') return 'undone'
  const outcome = await outbox.discard(seq)
  if (outcome === 'unknown') return 'unknown'
  return outcome === 'already-happened' ? 'too-late' : 'undone'
}

/** Decides and takes back, through the outbox: felt in the hand, said to a screen reader, kept before it is shown. */
export function useDecisions(userId: number | null): DecisionActions {
  // A second tap before the first decision is on disk must not make a second one.
  const writing = useRef(new Set<number>())
  const onDecide = useCallback(
    ({ application }: ApplicationRow, to: Decision) => {
      if (writing.current.has(application.id)) return
      writing.current.add(application.id)
      const name = fullName(application)
      const args = {
        applicationId: application.id,
        eventId: application.eventId,
        name,
        status: to,
        from: application.status,
        expectedDecisionNumber: application.decisionNumber,
      }
      navigator.vibrate?.(decisionBuzzMs)
      outbox
        .enqueue(decideApplication, args, { userId })
        .then(() => announce(`${to === 'approved' ? 'Approved' : 'Rejected'} ${name}. Undo is available.`))
        .catch(failed)
        .finally(() => writing.current.delete(application.id))
    },
    [userId],
  )
  const onUndo = useCallback(({ application, entry }: ApplicationRow) => {
    if (!entry) return
    const name = fullName(application)
    navigator.vibrate?.(undoBuzzMs)
    takeBack(entry.seq)
      .then((result) => {
        if (result === 'undone') announce(`Undone for ${name}.`)
        else if (result === 'unknown')
          toast({
            title: 'Undone on this phone',
            description: `If the server already has the decision about ${name}, it shows here again once there is a connection.`,
          })
        else
          toast({
            title: 'Too late to undo',
            description: `The server already has the decision about ${name}. You can decide again.`,
          })
      })
      .catch(failed)
  }, [])
  return useMemo(() => ({ onDecide, onUndo }), [onDecide, onUndo])
}
