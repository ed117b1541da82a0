import { useMemo } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { markApplication } from '../../outbox/mutations/mark-application.ts'
import type { MarkApplication } from '../../outbox/mutations/mark-application.ts'
import { enqueueShown } from '../../replica/view/pending-writes.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { announce } from '../../ui/live-region.tsx'
import { toast } from '../../ui/toast.ts'
import { fullName } from './applicant.ts'

/** What an organizer keeps about an applicant for themselves. */
export interface MarkActions {
  onStar: (row: ApplicationRow, starred: boolean) => void
  /** Resolves when the note is kept on this phone; false when it could not be. `seen`: what stood there when it was written. */
  onNote: (row: ApplicationRow, note: string, seen: string | null) => Promise<boolean>
  /** Removes another note. */
  onForgetNote: (row: ApplicationRow, note: string) => void
  /** Agrees to what a Beacon changed of what guests read. */
  onChangesSeen: (row: ApplicationRow, at: string) => void
  onPresent: (row: ApplicationRow, present: boolean) => void
}

type Mark = Omit<MarkApplication, 'applicationId' | 'eventId' | 'name'>

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
        await enqueueShown(markApplication, args, { userId })
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
      onNote: (row, note, seen) => keep(row, { note, noteOver: seen }, 'Note saved on this phone.'),
      onForgetNote: (row, note) => void keep(row, { forgetNote: note }, 'Note removed.'),
      onChangesSeen: (row, at) => void keep(row, { changesSeen: at }, 'You have agreed to the changes.'),
      onPresent: (row, present) =>
        void keep(
          row,
          present ? { present, seenAt: serverNow().toISOString() } : { present },
          `${fullName(row.application)} is ${present ? 'here today' : 'not here'}.`,
        ),
    }
  }, [userId])
}
