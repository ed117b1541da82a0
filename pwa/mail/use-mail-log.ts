import { useEffect, useRef, useState } from 'react'
import type { EventMail, MailLog } from '#shared/mail/mail-calls.ts'
import { call } from '../api/call.ts'
import { reachability } from '../api/reachability.ts'
import { serverNowMs } from '../api/server-time.ts'
import { replicaState } from '../replica/view/replica-state.ts'
import { followMailLog, type MailLogFollower, type MailLogView } from './mail-log-follower.ts'
import { keepLog, keptLog } from './mail-log-kept.ts'
import { newsOf } from './mail-log-news.ts'

export interface MailLogInUse extends MailLogView {
  readonly reload: () => void
}

/** Most the server hands out at once. */
const page = 100

/**
 * The mails of an event, or of one application to it: asked for while `active`, and again when the replica brings something
 * mails may follow from, when one is due, and when the server can be reached again.
 * @param applicationId null for those of the whole event
 * @param most how many are wanted; 0 for none yet
 */
export function useMailLog(eventId: number, applicationId: number | null, active: boolean, most: number): MailLogInUse {
  const [view, setView] = useState<MailLogView>(() => ({ known: keptLog(eventId, applicationId), failure: null }))
  const follower = useRef<MailLogFollower>(null)

  useEffect(() => {
    if (!active) return
    const following = followMailLog(
      {
        ask: (signal) => askFor(eventId, applicationId, most, signal),
        now: serverNowMs,
        after: (milliseconds, callback) => {
          const timer = setTimeout(callback, milliseconds)
          return () => clearTimeout(timer)
        },
        show: (next) => {
          if (next.known) keepLog(eventId, applicationId, next.known)
          setView(next)
        },
      },
      keptLog(eventId, applicationId),
    )
    follower.current = following
    let news = newsOf(replicaState.get(), eventId)
    let reach = reachability.get()
    const stops = [
      replicaState.subscribe(() => {
        const newer = newsOf(replicaState.get(), eventId)
        if (newer === news) return
        news = newer
        following.changed()
      }),
      reachability.subscribe(() => {
        const before = reach
        reach = reachability.get()
        if (reach === 'reachable' && before === 'unreachable') following.changed()
      }),
    ]
    // Timers stand still while the page is in the background.
    const onVisible = () => {
      if (document.visibilityState === 'visible') following.changed()
    }
    document.addEventListener('visibilitychange', onVisible)
    following.look()
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      for (const stop of stops) stop()
      following.end()
      follower.current = null
    }
  }, [eventId, applicationId, active, most])

  return { ...view, reload: () => follower.current?.look() }
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
