import { useMemo } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { markApplication } from '../../outbox/mutations/mark-application.ts'
import type { MarkApplication } from '../../outbox/mutations/mark-application.ts'
import { outbox } from '../../outbox/outbox.ts'
import type { ApplicationRow } from '../../replica/rows.ts'
import { announce } from '../../ui/live-region.tsx'
import { toast } from '../../ui/toast.ts'
import { fullName } from './applicant.ts'

/** What an organizer keeps about an applicant for themselves. */
export interface MarkActions {
  onStar: (row: ApplicationRow, starred: boolean) => void
  /** Resolves when the note is kept on this phone; false when it could not be. */
  onNote: (row: ApplicationRow, note: string) => Promise<boolean>
  onPresent: (row: ApplicationRow, present: boolean) => void
}

type Mark = Pick<MarkApplication, 'note' | 'starred' | 'present' | 'seenAt'>

/** Notes, stars and "here today", through the outbox. */
export function useMarks(userId: number | null): MarkActions {
  return useMemo(() => {
    async function keep({ application }: ApplicationRow, mark: Mark, said: string): Promise<boolean> {
      const { id, eventId, origin } = application
      try {
        const args = {
          applicationId: id,
          eventId,
          name: fullName(application),
          ...(origin === undefined ? {} : { origin }),
          ...mark,
        }
        await outbox.enqueue(markApplication, args, { userId })
        announce(said)
        return true
      } catch (error) {
        toast({ title: 'Not saved', description: saveFailureText(error), variant: 'destructive' })
        return false
      }
    }
    return {
      onStar: (row, starred) =>
        void keep(row, { starred }, `${starred ? 'Starred' : 'Star removed from'} ${fullName(row.application)}.`),
      onNote: (row, note) => keep(row, { note }, 'Note saved on this phone.'),
      onPresent: (row, present) =>
        void keep(
          row,
          present ? { present, seenAt: serverNow().toISOString() } : { present },
          `${fullName(row.application)} is ${present ? 'here today' : 'not here'}.`,
        ),
    }
  }, [userId])
}
