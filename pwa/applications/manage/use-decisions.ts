import { useMemo, useRef } from 'react'
import type { Decision } from '#shared/applications/decide.ts'
import { toastFailure } from '../../ui/forms/failure-toast.ts'
import { outbox, enqueueShown, type ApplicationRow, mutations, takeBack } from '../../sync/index.ts'
import { announce } from '../../ui/live-region.tsx'
import { toast } from '../../ui/toast.ts'
import { decisionEntry, decisionWord, fullName, people } from './shown-applicant.ts'
import type { DecisionActions } from './decision-buttons.tsx'

const decisionBuzzMs = 15
const undoBuzzMs = [10, 40, 10]

const failed = (error: unknown) => toastFailure('Status Update Failed', error)

/** Marks that were made on the decision make no sense without it. */
async function takeBackDecision(row: ApplicationRow) {
  const decision = decisionEntry(row)
  return decision ? await takeBack(decision, row.entries) : 'too-late'
}

const tooLate = (who: string) =>
  toast({
    title: 'Too late to undo',
    description: `The server already has the decision about ${who}. You can decide again.`,
  })

export function useDecisions(userId: number | null): DecisionActions {
  // A second tap before the decision is on disk must not make another.
  const writing = useRef(new Set<number>())
  return useMemo(() => {
    /** @returns the position in the queue; null while another decision is written */
    async function decide(
      { application }: ApplicationRow,
      to: Decision,
      tell: boolean,
      enqueue: typeof enqueueShown,
    ): Promise<number | null> {
      if (writing.current.has(application.id)) return null
      writing.current.add(application.id)
      const args = {
        applicationId: application.id,
        eventId: application.eventId,
        name: fullName(application),
        status: to,
        from: application.status,
        basis: application.basis,
        ...(tell || to === 'approved' ? {} : { tellApplicant: false }),
      }
      const kept = enqueue(mutations.decideApplication, args, { userId })
      const { seq } = await kept.finally(() => writing.current.delete(application.id))
      return seq
    }
    return {
      onDecide(row, to, tell = true) {
        navigator.vibrate?.(decisionBuzzMs)
        decide(row, to, tell, enqueueShown)
          .then((seq) => {
            if (seq !== null) announce(`${decisionWord(to)} ${fullName(row.application)}. Undo is available.`)
          })
          .catch(failed)
      },
      async onDecideMany(rows, to, tell) {
        navigator.vibrate?.(decisionBuzzMs)
        // One render for each of hundreds would block the screen.
        const kept = await Promise.allSettled(rows.map((row) => decide(row, to, tell, outbox.enqueue)))
        const refused = kept.find((one) => one.status === 'rejected')
        if (refused) failed(refused.reason)
        const seqs = kept.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []))
        if (seqs.length > 0) announce(`${decisionWord(to)} ${people(seqs.length)}. Undo is available.`)
        return seqs
      },
      onUndo(row) {
        const name = fullName(row.application)
        navigator.vibrate?.(undoBuzzMs)
        takeBackDecision(row)
          .then((result) => {
            if (result === 'undone') announce(`Undone for ${name}.`)
            else if (result === 'too-late') tooLate(name)
            else
              toast({
                title: 'Undone on this device',
                description: `If the server already has the decision about ${name}, it shows here again once there is a connection.`,
              })
          })
          .catch(failed)
      },
      onUndoMany(rows) {
        navigator.vibrate?.(undoBuzzMs)
        Promise.all(rows.map(takeBackDecision))
          .then((results) => {
            const late = results.filter((result) => result === 'too-late').length
            if (late > 0) tooLate(people(late))
            else announce(`Undone for ${people(results.length)}.`)
          })
          .catch(failed)
      },
    }
  }, [userId])
}
