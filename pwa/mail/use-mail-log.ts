import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react'
import type { EventMail, MailLog } from '#shared/mail/mail-calls.ts'
import {
  call,
  type Entry,
  outbox,
  pendingEntries,
  replicaState,
  mutations,
  argsOf,
  type questions,
} from '../sync/index.ts'
import { useAccountAnswer, type AccountQuestion } from '../device/session/account-answers.ts'
import { useSession } from '../device/session/session.ts'
import { announce } from '../ui/live-region.tsx'
import { toastFailure } from '../ui/forms/failure-toast.ts'
import { newsOf, knownLog, whileShown, type KnownLog } from './mail-log.ts'

/** The server admits no more. */
const page = 100

/**
 * Loads while `active`, and again on news of the replica, when a mail is due, and when the server is reachable again.
 * Mails are never stored on the device, since they hold recipients.
 * @param applicationId null for mails of the whole event
 * @param max how many are wanted; 0 for none yet
 */
export function useMailLog(
  eventId: number,
  applicationId: number | null,
  active: boolean,
  max: number,
): questions.Answered<KnownLog> {
  const question = useMemo<AccountQuestion<KnownLog>>(
    () => ({
      call: (signal) => knownLog(askFor(eventId, applicationId, max, signal)),
      inMemory: `mails/${eventId}/${applicationId ?? ''}`,
    }),
    [eventId, applicationId, max],
  )
  const when = useMemo<questions.RefetchOptions<KnownLog>>(
    () => ({ ...whileShown, news: (changed) => followEventNews(eventId, changed) }),
    [eventId],
  )
  return useAccountAnswer(question, active ? when : null)
}

/** @returns what ends it */
export function followEventNews(eventId: number, changed: () => void): () => void {
  let news = newsOf(replicaState.get(), eventId)
  return replicaState.subscribe(() => {
    const newer = newsOf(replicaState.get(), eventId)
    if (newer === news) return
    news = newer
    changed()
  })
}

async function askFor(
  eventId: number,
  applicationId: number | null,
  max: number,
  signal: AbortSignal,
): Promise<MailLog> {
  const mails: EventMail[] = []
  for (;;) {
    const limit = Math.min(page, max - mails.length)
    const before = mails.at(-1)?.id
    const log = await call('listEventMails', {
      params: { id: eventId },
      query: { applicationId: applicationId ?? undefined, before, limit },
      signal,
    })
    mails.push(...log.mails)
    if (log.mails.length < limit || mails.length >= max) return { ...log, mails }
  }
}

type MailRetries = ReadonlyMap<number, Entry>

/** Returns the same map while no retry changed: a decision in the queue repaints no mail. */
export function retriesReader(): (entries: readonly Entry[]) => MailRetries {
  let before: readonly Entry[] = []
  let answer: MailRetries = new Map()
  return (entries) => {
    const mine = entries.filter(({ mutation }) => mutation === mutations.retryMail.name)
    if (mine.length === before.length && mine.every((entry, index) => entry === before[index])) return answer
    before = mine
    answer = new Map(
      mine.flatMap((entry) => {
        const args = argsOf(entry, mutations.retryMail)
        return args ? [[args.mailId, entry] as const] : []
      }),
    )
    return answer
  }
}

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
        .enqueue(mutations.retryMail, { mailId, eventId, applicationId, name }, { userId })
        .then(() => announce(`The email to ${name} will be sent again.`))
        .catch((error: unknown) => toastFailure('Not saved', error))
        .finally(() => writing.current.delete(mailId))
    },
    [eventId, userId],
  )
  return { retries, onRetry }
}
