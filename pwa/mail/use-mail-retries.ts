import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react'
import type { EventMail } from '#shared/mail/mail-calls.ts'
import { saveFailureText } from '../device/save-failure.ts'
import type { Entry } from '../outbox/entry.ts'
import { retryMail } from '../outbox/mutations/retry-mail.ts'
import type { RetryMail } from '../outbox/mutations/retry-mail.ts'
import { findKnown } from '../outbox/mutations/mutations.ts'
import { outbox } from '../outbox/outbox.ts'
import { pendingEntries } from '../replica/view/pending-entries.ts'
import { useSession } from '../session/session.ts'
import { announce } from '../ui/live-region.tsx'
import { toast } from '../ui/toast.ts'

/** The queued retries by mail: the newest of each. */
export type MailRetries = ReadonlyMap<number, Entry>

/** Gives the same answer while no retry changed: a decision in the queue paints no mail again. */
export function retriesReader(): (entries: readonly Entry[]) => MailRetries {
  let before: readonly Entry[] = []
  let answer: MailRetries = new Map()
  return (entries) => {
    const mine = entries.filter(({ mutation }) => mutation === retryMail.name)
    if (mine.length === before.length && mine.every((entry, place) => entry === before[place])) return answer
    before = mine
    answer = new Map(
      mine.flatMap((entry) => {
        const known = findKnown(entry)
        return known ? [[(known.args as RetryMail).mailId, entry] as const] : []
      }),
    )
    return answer
  }
}

/** The queued retries, and how to queue another. */
export function useMailRetries(eventId: number): {
  readonly retries: MailRetries
  readonly onRetry: (mail: EventMail) => void
} {
  const { user } = useSession()
  const userId = user?.id ?? null
  const read = useMemo(() => retriesReader(), [])
  const retries = useSyncExternalStore(pendingEntries.subscribe, () => read(pendingEntries.get().account))
  // A second tap before the first one is on disk must not make a second retry.
  const writing = useRef(new Set<number>())
  const onRetry = useCallback(
    ({ id: mailId, applicationId, recipient: name }: EventMail) => {
      if (writing.current.has(mailId)) return
      writing.current.add(mailId)
      outbox
        .enqueue(retryMail, { mailId, eventId, applicationId, name }, { userId })
        .then(() => announce(`The e-mail to ${name} will be sent again.`))
        .catch((error: unknown) =>
          toast({ title: 'Not saved', description: saveFailureText(error), variant: 'destructive' }),
        )
        .finally(() => writing.current.delete(mailId))
    },
    [eventId, userId],
  )
  return { retries, onRetry }
}
