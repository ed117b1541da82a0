import { MessageSquarePlus } from 'lucide-react'
import { memo, useMemo } from 'react'
import type { Message } from '#shared/applications/message-calls.ts'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { useSession } from '../../device/session/session.ts'
import { serverNow, describeEntry } from '../../sync/index.ts'
import { leavesIn } from '../../mail/mail-log-words.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatMoment } from '../../ui/page/local-time.ts'
import { useNow, useSeconds } from '../../ui/page/use-now.ts'
import { SyncLabel } from '../../ui/status-badge.tsx'
import { didNotWork } from '../../ui/forms/failure-toast.ts'
import { fullName } from '../manage/shown-applicant.ts'
import { audienceLabels } from './recipients.ts'
import { takeMessageBack, undoMessage, useMessageLog, useQueuedMessages, type QueuedMessage } from './use-messages.ts'

/** Lists messages of an event: what waits on this device, then what the server has, newest first. */
export const MessagesPanel = memo(function MessagesPanel(props: {
  eventId: number
  eventName: string
  applications: readonly ApplicationDocument[]
  onWrite: () => void
}) {
  const { eventId, eventName, applications, onWrite } = props
  const { answer: log, failure } = useMessageLog(eventId)
  const { queued, cancelling } = useQueuedMessages(eventId)
  const names = useMemo(() => new Map(applications.map((one) => [one.id, fullName(one)])), [applications])
  // What the server has is not shown twice until the queue lets go of it.
  const stored = new Set(log?.messages.map(({ id }) => id))
  const waiting = queued.filter(({ args }) => !stored.has(args.id))
  const isEmpty = waiting.length === 0 && !log?.messages.length
  return (
    <Card
      title="Messages"
      aside={
        <Button variant="secondary" icon={<MessageSquarePlus className="size-4" />} onClick={onWrite}>
          Write
        </Button>
      }
    >
      {isEmpty ? (
        <p className="text-muted">
          {failure && !log
            ? 'Earlier messages need a connection. You can write one now: it will be sent automatically.'
            : 'No message yet. Beacons get them by email, on devices that asked, and on their own pages.'}
        </p>
      ) : (
        <ul aria-label="Messages" className="-my-3 divide-y divide-base-300">
          {waiting.map((one) => (
            <Waiting key={one.args.id} queued={one} />
          ))}
          {log?.messages.map((message) => (
            <Stored
              key={message.id}
              message={message}
              eventName={eventName}
              names={names}
              isCancelling={cancelling.has(message.id)}
            />
          ))}
        </ul>
      )}
    </Card>
  )
})

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`)

function Waiting({ queued: { entry, args } }: { queued: QueuedMessage }) {
  const userId = useSession().user?.id ?? null
  const now = useNow()
  return (
    <li className="py-3">
      <Words title={audienceLabels[args.audience]} count={args.applicationIds.length} text={args.text} />
      <p className="mt-1 flex flex-wrap items-center gap-x-3 text-sm">
        <SyncLabel
          state={describeEntry(entry).syncState}
          detail={entry.refusal?.problem.message ?? `written ${formatMoment(args.writtenAt, now)}`}
        />
        {describeEntry(entry).neverLeft && (
          <Button variant="ghost" size="small" onClick={() => void undoMessage(entry.seq, args, userId)}>
            Undo
          </Button>
        )}
      </p>
    </li>
  )
}

function Words({ title, count, text }: { title: string; count: number; text: string }) {
  return (
    <>
      <p className="font-medium">
        {title} <span className="font-normal text-muted">· {people(count)}</span>
      </p>
      <p className="mt-1 break-words whitespace-pre-wrap">{text}</p>
    </>
  )
}

function Stored(props: {
  message: Message
  eventName: string
  names: ReadonlyMap<number, string>
  isCancelling: boolean
}) {
  const { message, eventName, names, isCancelling } = props
  const { id, eventId, recipients, cancelledAt, leavesAt, device } = message
  const userId = useSession().user?.id ?? null
  const now = useNow()
  const leftMs = Date.parse(leavesAt) - serverNow().getTime()
  const isHeld = cancelledAt === null && leftMs > 0
  return (
    <li className="py-3">
      <Words title={audienceLabels[message.audience]} count={recipients.length} text={message.text} />
      {isHeld && !isCancelling ? (
        <p className="mt-1 flex flex-wrap items-center gap-x-3 text-sm">
          <Countdown leavesAt={leavesAt} />
          <Button
            variant="ghost"
            size="small"
            onClick={() => void takeMessageBack({ id, eventId, eventName }, userId).catch(didNotWork)}
          >
            Take back
          </Button>
        </p>
      ) : (
        <details className="mt-1 text-sm">
          <summary className="min-h-11 cursor-pointer py-2.5 text-muted">
            {cancelledAt !== null
              ? 'Taken back. No one received it.'
              : isCancelling
                ? 'Being taken back, if it has not left yet.'
                : `${deliveryWords(message)} · ${formatMoment(leavesAt, now)}${device ? ` · ${device}` : ''}`}
          </summary>
          <ul>
            {recipients.map(({ applicationId, mail }) => (
              <li key={applicationId} className="flex justify-between gap-4 py-1">
                <span className="min-w-0 break-words">{names.get(applicationId) ?? 'Deleted person'}</span>
                <span className="text-muted">{mail ?? '–'}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function Countdown({ leavesAt }: { leavesAt: string }) {
  const now = useSeconds()
  const leftMs = Date.parse(leavesAt) - serverNow().getTime()
  return <span className="text-muted tabular-nums">{leavesIn(leftMs, leavesAt, now)}</span>
}

/** 'Sent to 11 of 12, 1 failed' */
function deliveryWords({ recipients }: Message): string {
  const count = (state: string) => recipients.filter(({ mail }) => mail === state).length
  const [sent, failed] = [count('sent'), count('failed')]
  const waiting = count('held') + count('queued') + count('sending')
  const parts = [
    `Emails sent: ${sent} of ${recipients.length}`,
    failed > 0 && `${failed} failed`,
    waiting > 0 && `${waiting} on the way`,
  ]
  return parts.filter(Boolean).join(', ')
}
