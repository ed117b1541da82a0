import { memo, useEffect, useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { reachability, type questions } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { useDismissal } from '../device/dismissals.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import type { BadgeTone } from '../ui/badge.tsx'
import { Button, TryAgain } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { useNow } from '../ui/page/use-now.ts'
import { MailRow } from './mail-log-row.tsx'
import { deliveryLine } from './mail-log-words.ts'
import type { KnownLog } from './mail-log.ts'
import { useMailLog, useMailRetries } from './use-mail-log.ts'

const chunk = 10

/** Loads the panel before it is scrolled into view. */
const nearby = '600px'

function useIsNear(box: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const watching = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: nearby,
    })
    watching.observe(element)
    return () => watching.disconnect()
  }, [box])
  return near
}

/** It is memoised, so that a decision above repaints none of it. */
export const MailLogPanel = memo(function MailLogPanel({ eventId }: { eventId: number }) {
  const box = useRef<HTMLDivElement>(null)
  const near = useIsNear(box)
  const [max, setMax] = useState(chunk)
  const log = useMailLog(eventId, null, near, max)
  const { answer: known } = log
  const total = known ? Object.values(known.counts).reduce((sum, count) => sum + count, 0) : 0
  return (
    // On a phone the box is high enough that no footer jumps when the list comes.
    <div ref={box} className="max-sm:min-h-[70svh]">
      <Card title="Emails" aside={known && total > 0 && <Counts {...known} />}>
        <MailLog log={log} eventId={eventId} named reservedRows={3} />
        {known && known.mails.length < total && (
          <div className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-base-300 pt-3">
            <p className="text-sm text-muted tabular-nums">
              {known.mails.length} of {total} shown
            </p>
            <Button variant="secondary" onClick={() => setMax(known.mails.length + chunk)}>
              Show more
            </Button>
          </div>
        )}
      </Card>
    </div>
  )
})

export function ApplicantMails({ eventId, applicationId }: { eventId: number; applicationId: number }) {
  const log = useMailLog(eventId, applicationId, true, 100)
  return (
    <div>
      <h3 className="mb-2 text-lg">Emails</h3>
      <MailLog log={log} eventId={eventId} named={false} reservedRows={1} />
    </div>
  )
}

const tones: readonly (readonly [MailState, BadgeTone])[] = [
  ['failed', 'error'],
  ['held', 'signal'],
  ['queued', 'signal'],
  ['sending', 'info'],
  ['sent', 'success'],
  ['cancelled', 'quiet'],
]

function Counts({ counts, delivery }: Pick<KnownLog, 'counts' | 'delivery'>) {
  const written = delivery === 'demo'
  return (
    <ul aria-label="Emails by state" className="flex flex-wrap gap-2">
      {tones
        .filter(([state]) => counts[state] > 0)
        .map(([state, tone]) => (
          <li key={state}>
            <Badge tone={written && state === 'sent' ? 'quiet' : tone}>
              {counts[state]} {written && state === 'sent' ? 'written' : state}
            </Badge>
          </li>
        ))}
    </ul>
  )
}

/** @param reservedRows while the list loads */
function MailLog(props: { log: questions.Answered<KnownLog>; eventId: number; named: boolean; reservedRows: number }) {
  const { log, eventId, named, reservedRows } = props
  const { answer: known, asOf, failure, ask } = log
  const reload = () => void ask()
  const hasFailed = failure !== null && failure.kind !== 'unreachable'
  const now = useNow()
  const unreachable = useObservable(reachability) === 'unreachable'
  const { retries, onRetry } = useMailRetries(eventId)
  const line = known && deliveryLine(known.delivery)
  const hint = useDismissal(`mail-${known?.delivery ?? ''}`)
  const isOld = failure !== null || unreachable
  const rows = useMemo(
    () =>
      known?.mails.map((mail) => (
        <MailRow
          key={mail.id}
          mail={mail}
          delivery={known.delivery}
          aheadMs={known.aheadMs}
          now={now}
          retry={retries.get(mail.id)}
          onRetry={onRetry}
          named={named}
        />
      )),
    [known, now, retries, onRetry, named],
  )
  if (!known)
    return failure === null && !unreachable ? (
      <div className="-mx-4">
        <Skeleton shape="row" count={reservedRows} label="Loading the emails" />
      </div>
    ) : (
      <Alert
        variant="quiet"
        title={hasFailed ? 'The emails could not be loaded' : 'The emails need a connection'}
        action={<TryAgain onClick={reload} />}
      >
        {hasFailed
          ? 'They are sent all the same.'
          : 'They will show here automatically as soon as there is one. What you decide until then is kept.'}
      </Alert>
    )
  return (
    <>
      {line && named && !hint.dismissed && (
        <Alert
          className="mb-3"
          variant="quiet"
          action={
            <Button variant="ghost" onClick={hint.dismiss}>
              Got It
            </Button>
          }
        >
          {line}
        </Alert>
      )}
      {isOld && asOf && (
        <p className="mb-2 flex flex-wrap items-center gap-x-3 text-sm text-muted">
          <span>As of {formatMoment(asOf, now)}.</span>
          <Button variant="ghost" size="small" flush="start" onClick={reload}>
            Check again
          </Button>
        </p>
      )}
      {known.mails.length === 0 ? (
        <p className="text-muted">
          {named
            ? 'No email yet. One is sent for each application, and one for each of your decisions.'
            : 'No email yet.'}
        </p>
      ) : (
        <ul aria-label="Emails">{rows}</ul>
      )}
    </>
  )
}
