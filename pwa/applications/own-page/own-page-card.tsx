import { useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { unsentOf } from '../../device/forget-application.ts'
import { didNotWork } from '../../ui/forms/failure-toast.ts'
import { type Entry, neverLeft, outbox } from '../../sync/index.ts'
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
import { useNow } from '../../ui/page/use-now.ts'
import { Briefing, Coming } from './briefing.tsx'
import { DeleteOwnData } from './delete-own-data.tsx'
import { OwnPhoto } from './own-photo.tsx'
import { LeaveDevice, type LeaveDeviceProps } from './remove-from-device.tsx'
import { sendWithdrawal, type Opened, type ReadyPage } from './use-own-page.ts'
import { writtenLines } from './own-page-state.ts'
import { hashOf } from './link-token.ts'
import { TellThisPhone } from './tell-this-phone.tsx'

const views: Record<ShownStatus, { illustration: IllustrationName; title: string }> = {
  pending: { illustration: 'sent', title: 'Application Submitted' },
  approved: { illustration: 'beacons', title: 'You are a Beacon' },
  rejected: { illustration: 'hall', title: 'Not this time' },
  withdrawn: { illustration: 'clear', title: 'Application withdrawn' },
}

function words(status: ShownStatus, { firstName }: OwnApplication, { name }: Pick<PublicEvent, 'name'>): string {
  switch (status) {
    case 'pending':
      return `Thank you, ${firstName}. ${name} has your application. The organizer’s answer comes by email and stands here too.`
    case 'approved':
      return `${name} is looking forward to you, ${firstName}. Guests find you on the event’s page.`
    case 'rejected':
      return `Thank you for offering to help, ${firstName}. The organizer of ${name} has chosen other Beacons. There are more events that look for people like you.`
    case 'withdrawn':
      return `You have taken your application for ${name} back, ${firstName}. You are not shown on its page.`
  }
}

async function passOn(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    toast({ title: 'Link copied', description: 'Anyone who has it can read, correct and withdraw this application.' })
  } catch {
    toast({ variant: 'destructive', title: 'Not copied', description: 'This browser does not allow it here.' })
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
  const { shown, withdrawing, correcting, answering, photo, refused } = page.state
  const [asking, setAsking] = useState(false)
  const status: ShownStatus = shown.withdrawnAt ? 'withdrawn' : shown.status
  const kept = keptAs(event.id, { id: shown.id, token })
  const others = own.sent.filter((other) => other.token !== token)
  const over = hasEnded(event, useNow())
  const isOpen = status !== 'withdrawn' && !withdrawing
  const isBeacon = status === 'approved' && !withdrawing

  const withdraw = async () => {
    setAsking(false)
    await sendWithdrawal(opened)
    await own.refresh()
  }
  return (
    <StateCard
      event={event}
      illustration={withdrawing ? 'offline' : views[status].illustration}
      facts={
        isBeacon && (
          <div className="flex flex-col gap-6 border-t border-base-300 pt-5">
            <Briefing event={event} application={shown} asOf={page.asOf} />
            {!over && <Coming opened={opened} shown={shown} answering={answering} onChanged={own.refresh} />}
          </div>
        )
      }
      title={withdrawing ? 'Withdrawal saved on this device' : views[status].title}
      badge={<StatusBadge status={status} />}
      above={
        <>
          <AsOf asOf={page.asOf} stale={page.stale} onReload={page.reload} />
          {refused && <Refused refused={refused} onCorrect={onCorrect} onChanged={own.refresh} />}
        </>
      }
      actions={
        <>
          {withdrawing && neverLeft(withdrawing) && (
            <Button
              variant="secondary"
              wide
              onClick={() => void outbox.undo(withdrawing.seq).then(own.refresh).catch(didNotWork)}
            >
              Keep My Application
            </Button>
          )}
          {isOpen && !over && (
            <Button variant="secondary" wide onClick={onCorrect}>
              Correct it
            </Button>
          )}
          {isOpen && (
            <Button variant="secondary" wide onClick={() => void passOn(linkTo(event.id, token))}>
              Copy Link to This Page
            </Button>
          )}
          {(status === 'rejected' || status === 'withdrawn') && (
            <ButtonLink to={paths.events} variant="secondary" wide>
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
            onWithdraw={isOpen ? () => setAsking(true) : undefined}
            deletion={<DeleteOwnData kept={kept} eventName={event.name} onDeleted={own.refresh} />}
          />
          <Others eventId={event.id} others={others} />
          <p className="mt-6">
            <Link to={paths.myApplications} className="inline-flex min-h-11 items-center underline underline-offset-4">
              All your applications
            </Link>
          </p>
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
            The organizer of {event.name} hears of it, and guests no longer find you on its page. You cannot apply again
            with the same email address.
          </ConfirmDialog>
        </>
      }
    >
      <p>
        {withdrawing
          ? 'It is sent by itself as soon as there is a network. Until then the organizer still sees your application.'
          : words(status, shown, event)}
      </p>
      {correcting && (
        <p className="mt-3">
          <SyncLabel state="on-this-phone" detail="your correction is sent by itself" />
        </p>
      )}
    </StateCard>
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
  'set-face': 'photo',
  'remove-face': 'photo',
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
        {others.map(({ id, token, fields }) => (
          <li key={id}>
            <ButtonLink to={paths.apply(eventId) + hashOf(token)} variant="secondary">
              {fields.firstName} {fields.lastName}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
