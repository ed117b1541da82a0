import { useState, type ReactNode } from 'react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { applicationsAreOpen, hasEnded } from '#shared/time/event-time.ts'
import { unsentOf } from '../../device/forget-application.ts'
import { didNotWork } from '../../ui/forms/failure-toast.ts'
import { type Entry, outbox, describeEntry } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { IllustrationName } from '../../ui/illustration.tsx'
import { StatusBadge, SyncLabel, type ShownStatus } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { AsOf } from '../../ui/page/as-of.tsx'
import type { OwnApplications, SentApplication } from '../own-application.ts'
import { StateCard } from '../application-state.tsx'
import { EventCover } from '../event-cover.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { DeleteOwnData } from './delete-own-data.tsx'
import { OwnFacts } from './own-facts.tsx'
import { OwnPhoto } from './own-photo.tsx'
import { LeaveDevice, type LeaveDeviceProps } from './remove-from-device.tsx'
import { sendApplyingAgain, sendWithdrawal, type Opened, type ReadyPage } from './use-own-page.ts'
import { writtenLines } from './own-page-state.ts'
import { hashOf } from './link-token.ts'
import { SharePicture } from './share-picture.tsx'
import { TellThisPhone } from './tell-this-phone.tsx'

const views: Record<ShownStatus, { illustration: IllustrationName; title: string }> = {
  pending: { illustration: 'sent', title: 'Application Submitted' },
  approved: { illustration: 'beacons', title: 'You’re a Beacon' },
  rejected: { illustration: 'hall', title: 'Not this time' },
  withdrawn: { illustration: 'clear', title: 'Application withdrawn' },
}

function words(
  status: ShownStatus,
  { firstName }: OwnApplication,
  { name, organizer }: Pick<PublicEvent, 'name' | 'organizer'>,
  over: boolean,
): string {
  if (status === 'approved' && over) return `Thank you for helping people meet, ${firstName}.`
  switch (status) {
    case 'pending':
      return `Thank you, ${firstName}. ${name} has your application. You’ll get the organizer’s answer by email, and here.`
    case 'approved':
      return `${organizer?.name ?? 'The organizer'} is looking forward to having you, ${firstName}. Guests can find you on the page of ${name}.`
    case 'rejected':
      return `Thank you for offering to help, ${firstName}. The organizer of ${name} has chosen other Beacons. More events are looking for people like you.`
    case 'withdrawn':
      return `You withdrew your application for ${name}, ${firstName}. You are not shown on its page.`
  }
}

interface OwnPageCardProps {
  readonly opened: Opened
  readonly page: ReadyPage
  readonly own: OwnApplications
  readonly onCorrect: () => void
  readonly onAnother: LeaveDeviceProps['onAnother']
}

export function OwnPageCard({ opened, page, own, onCorrect, onAnother }: OwnPageCardProps) {
  const { token, event } = opened
  const { shown, withdrawing, applyingAgain, correcting, photo, refused } = page.state
  const [asking, setAsking] = useState(false)
  const status: ShownStatus = shown.withdrawnAt ? 'withdrawn' : shown.status
  const kept = keptAs(event.id, { id: shown.id, token })
  const others = own.sent.filter((other) => other.token !== token)
  const now = useNow()
  const over = hasEnded(event, now)
  const isCancelled = event.cancelledAt !== undefined
  const isOpen = status !== 'withdrawn' && !withdrawing
  const isBeacon = status === 'approved' && !withdrawing
  const hasMessages = isOpen && (shown.messages?.length ?? 0) > 0
  const mayApplyAgain = status === 'withdrawn' && !applyingAgain && !refused && applicationsAreOpen(event, now)
  const waits = withdrawing ?? applyingAgain

  const withdraw = async () => {
    setAsking(false)
    await sendWithdrawal(opened)
    await own.refresh()
  }
  const undo = (entry: Entry) => void outbox.undo(entry.seq).then(own.refresh).catch(didNotWork)
  return (
    <StateCard
      event={event}
      illustration={waits ? 'offline' : views[status].illustration}
      moment={isBeacon && <EventCover event={event} className="aspect-5/2" />}
      facts={
        (isBeacon || hasMessages) && (
          <OwnFacts opened={opened} page={page} isBeacon={isBeacon} isOpen={isOpen} now={now} onChanged={own.refresh} />
        )
      }
      title={
        withdrawing
          ? 'Withdrawal saved on this device'
          : applyingAgain
            ? 'Application saved on this device'
            : isCancelled
              ? 'This event is cancelled'
              : isBeacon && over
                ? 'You were a Beacon'
                : views[status].title
      }
      badge={
        <>
          {isBeacon && <p className="mb-2 text-lg font-semibold">{event.name}</p>}
          <StatusBadge status={status} />
        </>
      }
      above={
        <>
          <AsOf asOf={page.asOf} stale={page.stale} onReload={page.reload} />
          {refused && <Refused refused={refused} onCorrect={onCorrect} onChanged={own.refresh} />}
        </>
      }
      returns={status === 'pending' && !waits}
      actions={
        <>
          {withdrawing && describeEntry(withdrawing).neverLeft && (
            <Button variant="secondary" wide onClick={() => undo(withdrawing)}>
              Keep My Application
            </Button>
          )}
          {applyingAgain && describeEntry(applyingAgain).neverLeft && (
            <Button variant="secondary" wide onClick={() => undo(applyingAgain)}>
              Leave It Withdrawn
            </Button>
          )}
          {mayApplyAgain && (
            <Button
              size="large"
              wide
              onClick={() => void sendApplyingAgain(opened).then(own.refresh).catch(didNotWork)}
            >
              Apply Again
            </Button>
          )}
          {isOpen && !over && status !== 'rejected' && (
            <Button variant="secondary" wide onClick={onCorrect}>
              Correct it
            </Button>
          )}
          {(status === 'rejected' || status === 'withdrawn') && !waits && (
            <ButtonLink to={paths.events} variant={mayApplyAgain ? 'secondary' : 'primary'} wide>
              Browse Events
            </ButtonLink>
          )}
        </>
      }
      below={
        <>
          {!over && <TellThisPhone token={token} application={shown} waiting={isOpen} />}
          {isOpen && !over && status !== 'rejected' && (
            <OwnPhoto opened={opened} shown={shown} photo={photo} onChanged={own.refresh} />
          )}
          <Written
            application={shown}
            onWithdraw={isOpen && status !== 'rejected' ? () => setAsking(true) : undefined}
            deletion={<DeleteOwnData kept={kept} eventName={event.name} onDeleted={own.refresh} />}
          />
          {isOpen && <PrivateLink link={linkTo(event.id, token)} />}
          <Others eventId={event.id} others={others} />
          <div className="mx-auto mt-8 flex max-w-sm flex-col gap-3">
            <LeaveDevice
              kept={kept}
              others={others.map((other) => keptAs(event.id, other))}
              unsent={unsentOf(own.disk.entries, kept)}
              onRemoved={own.refresh}
              onAnother={onAnother}
            />
          </div>
          <ConfirmDialog
            open={asking}
            onClose={() => setAsking(false)}
            onConfirm={() => void withdraw().catch(didNotWork)}
            title="Withdraw your application?"
            confirmLabel="Withdraw"
            cancelLabel="Keep It"
          >
            The organizer of {event.name} will be told, and guests can no longer find you on its page. You can apply
            again here while applications are open.
          </ConfirmDialog>
        </>
      }
    >
      <p>
        {withdrawing
          ? 'It will be sent automatically as soon as there is a network. Until then the organizer still sees your application.'
          : applyingAgain
            ? 'It will be sent automatically as soon as there is a network. Then the organizer sees your application again.'
            : isCancelled
              ? `The organizer has cancelled ${event.name}, ${shown.firstName}. There is nothing you need to do.`
              : words(status, shown, event, over)}
      </p>
      {isBeacon && !over && !isCancelled && (
        <div className="mt-4">
          <SharePicture event={event} firstName={shown.firstName} />
        </div>
      )}
      {correcting && (
        <p className="mt-3">
          <SyncLabel state="on-this-phone" detail="your correction will be sent automatically" />
        </p>
      )}
    </StateCard>
  )
}

/** This link is a key to everything on the page: it is folded away from what is for everybody, and explained before it is copied. */
export function PrivateLink({ link }: { link: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link)
      toast({ title: 'Private link copied', description: 'It is for your own devices.' })
    } catch {
      toast({ variant: 'destructive', title: 'Not copied', description: 'This browser does not allow it here.' })
    }
  }
  return (
    <details className="mt-5 rounded-box border border-base-300 bg-base-100 px-4">
      <summary className="flex min-h-12 cursor-pointer items-center font-medium underline decoration-edge underline-offset-4">
        My private link
      </summary>
      <p className="text-sm text-muted">
        It opens this page on your other devices. Anyone who has it can read your phone number and your answers, and
        correct, withdraw or delete this application: please do not pass it on.
      </p>
      <div className="mt-3 pb-4">
        <Button variant="secondary" wide onClick={() => void copy()}>
          Copy My Private Link
        </Button>
      </div>
    </details>
  )
}

const keptAs = (eventId: number, { id, token }: { readonly id: number; readonly token: string }) => ({
  eventId,
  applicationId: id,
  token,
})

const linkTo = (eventId: number, token: string) => `${location.origin}${paths.apply(eventId)}${hashOf(token)}`

const refusedWords: Partial<Record<string, string>> = {
  'say-coming': 'answer',
  'check-in': 'check-in',
  'set-face': 'photo',
  'remove-face': 'photo',
  'apply-again': 'application',
}

/** Nothing that was written is lost. */
function Refused(props: { refused: Entry; onCorrect: () => void; onChanged: () => Promise<void> }) {
  const { refused, onCorrect, onChanged } = props
  const isCorrection = refused.mutation === 'correct-application'
  const what = isCorrection ? 'correction' : (refusedWords[refused.mutation] ?? 'withdrawal')
  return (
    <Alert
      className="mb-4"
      variant="destructive"
      title={`Your ${what} was not accepted`}
      action={
        <>
          {isCorrection && (
            <Button variant="secondary" onClick={onCorrect}>
              Correct It Again
            </Button>
          )}
          <Button
            variant="secondary"
            onClick={() => void outbox.discard(refused.seq).then(onChanged).catch(didNotWork)}
          >
            Discard
          </Button>
        </>
      }
    >
      {refused.refusal?.problem.message} {isCorrection && 'What you wrote is kept.'}
    </Alert>
  )
}

function Written(props: { application: OwnApplication; onWithdraw: (() => void) | undefined; deletion: ReactNode }) {
  const { application, onWithdraw, deletion } = props
  const { facts, answers } = writtenLines(application)
  return (
    <Card className="mt-5" title="What you sent">
      <DefinitionList columns items={facts} />
      {answers.length > 0 && (
        <div className="mt-6 border-t border-base-300 pt-5">
          <DefinitionList items={answers} />
        </div>
      )}
      <div className="mt-6 flex flex-col gap-3 border-t border-base-300 pt-4">
        {onWithdraw && (
          <Button variant="danger-quiet" wide onClick={onWithdraw}>
            Withdraw Application
          </Button>
        )}
        {deletion}
      </div>
    </Card>
  )
}

/** Several people may have applied on one phone. */
function Others({ eventId, others }: { eventId: number; others: readonly SentApplication[] }) {
  if (others.length === 0) return null
  return (
    <section aria-labelledby="others" className="mt-6">
      <h2 id="others" className="text-lg">
        Also sent from this device
      </h2>
      <ul className="mt-2 flex flex-wrap gap-2">
        {others.map(({ id, fields }) => (
          <li key={id}>
            <ButtonLink to={paths.ownApplication(eventId, id)} variant="secondary">
              {fields.firstName} {fields.lastName}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
