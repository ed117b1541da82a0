import { Clock3, MailCheck, MailWarning, MailX, RotateCcw, Send } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { EventMail, MailLog } from '#shared/mail/mail-calls.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { type Entry, describeEntry } from '../sync/index.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { useSeconds } from '../ui/page/use-now.ts'
import { SyncLabel } from '../ui/status-badge.tsx'
import { may } from '../device/session/acting.ts'
import { isWaiting, mailLine, mailTitle, whatStopsIt, leavesIn } from './mail-log-words.ts'

/** The server shows on this page what a demo would have sent, on the machine that it runs on. */
const mailPreviewPath = '/mail-preview'
const isDemosOwnMachine = () => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)

const icons: Record<MailState, typeof Send> = {
  held: Clock3,
  queued: Clock3,
  sending: Send,
  sent: MailCheck,
  failed: MailWarning,
  cancelled: MailX,
}
const tones: Record<MailState, string> = {
  held: 'bg-signal-soft text-signal',
  queued: 'bg-signal-soft text-signal',
  sending: 'bg-info-soft text-info',
  sent: 'bg-success-soft text-success',
  failed: 'bg-error-soft text-error',
  cancelled: 'bg-quiet-soft text-muted',
}

export interface MailRowProps {
  readonly mail: EventMail
  readonly delivery: MailLog['delivery']
  readonly aheadMs: number
  readonly now: Date
  readonly retry: Entry | undefined
  readonly onRetry: (mail: EventMail) => void
  readonly named: boolean
}

export const MailRow = memo(function MailRow(props: MailRowProps) {
  const { mail, delivery, retry, onRetry, named } = props
  // A demo's mail is written, not sent: nothing turns green.
  const look = mail.state === 'sent' && delivery !== 'smtp' ? 'cancelled' : mail.state
  const Icon = icons[mail.state]
  return (
    <li className="flex items-start gap-x-3 gap-y-2 border-t max-sm:flex-wrap border-base-300 py-3 first:border-0">
      <span aria-hidden="true" className={`grid size-9 shrink-0 place-items-center rounded-full ${tones[look]}`}>
        <Icon className="size-5" />
      </span>
      <div className="min-w-0 flex-1 max-sm:basis-2/3">
        <p className="break-words">
          <span className="font-medium">{mailTitle(mail)}</span>
          {named && <span className="text-muted"> to {mail.recipient}</span>}
        </p>
        {mail.subject && <p className="line-clamp-1 text-sm break-all text-muted">{mail.subject}</p>}
        <p className="text-sm">
          <Where {...props} />
        </p>
      </div>
      {mail.state === 'failed' && !retry && may('manager') && (
        <Button
          variant="secondary"
          size="small"
          icon={<RotateCcw className="size-4" />}
          aria-label={`Retry: ${mailTitle(mail)} to ${mail.recipient}`}
          className="max-sm:ml-12"
          onClick={() => onRetry(mail)}
        >
          Retry
        </Button>
      )}
    </li>
  )
})

function Where({ mail, delivery, aheadMs, now, retry }: MailRowProps): ReactNode {
  if (retry?.state === 'parked' || retry?.state === 'blocked')
    return (
      <>
        <SyncLabel state="needs-attention" detail={retry.refusal?.problem.message} />{' '}
        <Link
          to={paths.sync}
          className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-signal"
        >
          See why
        </Link>
      </>
    )
  if (retry) return <SyncLabel state={describeEntry(retry).syncState} detail="will be sent again" />
  if (!isWaiting(mail, delivery))
    return (
      <>
        <span className={mail.state === 'failed' ? 'text-error' : 'text-muted'}>{mailLine(mail, delivery, now)}</span>
        {delivery === 'demo' && mail.state === 'sent' && isDemosOwnMachine() && (
          <>
            {' · '}
            <a
              href={mailPreviewPath}
              target="_blank"
              className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-signal"
            >
              See the mail
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          </>
        )}
      </>
    )
  const detail = mail.reason ?? whatStopsIt(mail)
  return (
    <>
      <span className="font-medium text-signal">
        <MailCountdown sendAt={mail.sendAt} aheadMs={aheadMs} again={mail.reason !== null} />
      </span>
      {detail && <span className="text-muted"> · {detail}</span>}
    </>
  )
}

/** Counts by the server's clock, in a component of its own, so that each second paints nothing else. */
function MailCountdown({ sendAt, aheadMs, again }: { sendAt: string; aheadMs: number; again: boolean }) {
  const now = useSeconds()
  return (
    <span className="tabular-nums">{leavesIn(Date.parse(sendAt) - aheadMs - now.getTime(), sendAt, now, again)}</span>
  )
}
