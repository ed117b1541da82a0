import { useMemo } from 'react'
import type { EventMail, MailLog } from '#shared/mail/mail-calls.ts'
import { call } from '../api/call.ts'
import type { Answered, When } from '../api/question.ts'
import { replicaState } from '../replica/view/replica-state.ts'
import { inMemoryOfAccount, useAccountAnswer, type AccountQuestion } from '../session/account-answers.ts'
import { newsOf } from './mail-log-news.ts'
import { knownLog, whileShown, type KnownLog } from './mail-log.ts'

/** Most the server hands out at once. */
const page = 100

/**
 * The mails of an event, or of one application to it: asked for while `active`, and again when the replica brings something
 * mails may follow from, when one is due, and when the server can be reached again. Who got which mail has no business on the
 * disk.
 * @param applicationId null for those of the whole event
 * @param most how many are wanted; 0 for none yet
 */
export function useMailLog(
  eventId: number,
  applicationId: number | null,
  active: boolean,
  most: number,
): Answered<KnownLog> {
  const question = useMemo<AccountQuestion<KnownLog>>(
    () => ({
      call: (signal) => knownLog(askFor(eventId, applicationId, most, signal)),
      placeFor: () => inMemoryOfAccount(`mails/${eventId}/${applicationId ?? ''}`),
    }),
    [eventId, applicationId, most],
  )
  const when = useMemo<When<KnownLog>>(
    () => ({ ...whileShown, news: (changed) => followReplica(eventId, changed) }),
    [eventId],
  )
  return useAccountAnswer(question, active ? when : null)
}

/** Calls back when the replica brings something mails may follow from; returns how to stop. */
function followReplica(eventId: number, changed: () => void): () => void {
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
  most: number,
  signal: AbortSignal,
): Promise<MailLog> {
  const mails: EventMail[] = []
  for (;;) {
    const limit = Math.min(page, most - mails.length)
    const before = mails.at(-1)?.id
    const log = await call('listEventMails', {
      params: { id: eventId },
      query: { applicationId: applicationId ?? undefined, before, limit },
      signal,
    })
    mails.push(...log.mails)
    if (log.mails.length < limit || mails.length >= most) return { ...log, mails }
  }
}
