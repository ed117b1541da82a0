import { useCallback, useMemo, useRef } from 'react'
import type { Decision } from '#shared/applications/application-status.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { decideApplication } from '../../outbox/mutations/decide-application.ts'
import { outbox } from '../../outbox/outbox.ts'
import { enqueueShown, whenWritten } from '../../replica/view/pending-writes.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { announce } from '../../ui/live-region.tsx'
import { toast } from '../../ui/toast.ts'
import { decisionEntry, fullName } from './applicant.ts'
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
async function takeBack(row: ApplicationRow): Promise<'undone' | 'unknown' | 'too-late'> {
  const shown = decisionEntry(row)
  if (!shown) return 'too-late'
  const decision = await whenWritten(shown)
  // What was marked on top of the decision makes no sense without it.
  const written = await Promise.all(row.entries.map(whenWritten))
  const onTop = written.filter(({ lane, seq }) => lane === decision.lane && seq > decision.seq)
  for (const { seq } of onTop.toReversed()) await outbox.discard(seq)
  if ((await outbox.undo(decision.seq)) === 'undone') return 'undone'
  const outcome = await outbox.discard(decision.seq)
  if (outcome === 'unknown') return 'unknown'
  return outcome === 'already-happened' ? 'too-late' : 'undone'
}

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`)
const pastOf = (to: Decision) => (to === 'approved' ? 'Approved' : 'Rejected')

/**
 * Decides and takes back, through the outbox: felt in the hand, shown at once, and said to be on this phone, also to a screen
 * reader, when it is.
 */
export function useDecisions(userId: number | null): DecisionActions {
  // A second tap before the first decision is on disk must not make a second one.
  const writing = useRef(new Set<number>())
  const decide = useCallback(
    async (
      { application }: ApplicationRow,
      to: Decision,
      tell: boolean,
      enqueue: typeof enqueueShown,
    ): Promise<number | null> => {
      if (writing.current.has(application.id)) return null
      writing.current.add(application.id)
      const args = {
        applicationId: application.id,
        eventId: application.eventId,
        ...(application.origin === undefined ? {} : { origin: application.origin }),
        name: fullName(application),
        status: to,
        from: application.status,
        expectedDecisionNumber: application.decisionNumber,
        ...(tell || to === 'approved' ? {} : { tellApplicant: false }),
      }
      const kept = enqueue(decideApplication, args, { userId })
      const { seq } = await kept.finally(() => writing.current.delete(application.id))
      return seq
    },
    [userId],
  )
  const onDecide = useCallback<DecisionActions['onDecide']>(
    (row, to, tell = true) => {
      navigator.vibrate?.(decisionBuzzMs)
      decide(row, to, tell, enqueueShown)
        .then((seq) => {
          if (seq !== null) announce(`${pastOf(to)} ${fullName(row.application)}. Undo is available.`)
        })
        .catch(failed)
    },
    [decide],
  )
  const onDecideMany = useCallback<DecisionActions['onDecideMany']>(
    async (rows, to, tell) => {
      navigator.vibrate?.(decisionBuzzMs)
      // Shown together when they are kept: a paint for each of hundreds would hold the screen up.
      const kept = await Promise.allSettled(rows.map((row) => decide(row, to, tell, outbox.enqueue)))
      const refused = kept.find((one) => one.status === 'rejected')
      if (refused) failed(refused.reason)
      const seqs = kept.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []))
      announce(`${pastOf(to)} ${people(seqs.length)}. Undo is available.`)
      return seqs
    },
    [decide],
  )
  const onUndo = useCallback<DecisionActions['onUndo']>((row) => {
    const name = fullName(row.application)
    navigator.vibrate?.(undoBuzzMs)
    takeBack(row)
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
  const onUndoMany = useCallback<DecisionActions['onUndoMany']>((rows) => {
    navigator.vibrate?.(undoBuzzMs)
    Promise.all(rows.map(takeBack))
      .then((results) => {
        const late = results.filter((result) => result === 'too-late').length
        if (late > 0)
          toast({
            title: 'Too late to undo',
            description: `The server already has the decision about ${people(late)}. You can decide again.`,
          })
        else announce(`Undone for ${people(results.length)}.`)
      })
      .catch(failed)
  }, [])
  return useMemo(() => ({ onDecide, onDecideMany, onUndo, onUndoMany }), [onDecide, onDecideMany, onUndo, onUndoMany])
}
