import { useState, type ReactNode } from 'react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { reachability, outbox, describeEntry } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { browserLimits } from '../device/browser-limits.ts'
import { paths } from '../paths.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Illustration, type IllustrationName } from '../ui/illustration.tsx'
import { Page } from '../ui/page.tsx'
import { SyncLabel } from '../ui/status-badge.tsx'
import { toast } from '../ui/toast.ts'
import { canBeShown, ShowToOrganizer } from './hand-in/show-to-organizer.tsx'
import { HostedBy } from './hosted-by.tsx'
import type { UnsentApplication } from './own-application.ts'
import { LeaveDevice } from './own-page/remove-from-device.tsx'

export function StateCard(props: {
  event: PublicEvent
  /** In the card's middle; a `moment` over its whole width takes its place. */
  illustration: IllustrationName
  moment?: ReactNode
  facts?: ReactNode
  title: string
  badge: ReactNode
  children: ReactNode
  actions: ReactNode
  /** It is true if coming back to the event is what comes next. The link above the card leads there, too. */
  returns?: boolean
  above?: ReactNode
  below?: ReactNode
}) {
  const { event, illustration, moment, facts, title, badge, children, actions, returns = true, above, below } = props
  const centred = moment ? 'items-start' : 'items-center text-center'
  return (
    <Page width="narrow" back={{ to: paths.event(event.id), label: event.name }}>
      {above}
      <Card padding="none" className="overflow-hidden shadow-lift">
        {moment}
        <div className={`flex flex-col px-4 py-8 [overflow-wrap:anywhere] sm:px-6 ${centred}`}>
          {!moment && <Illustration name={illustration} className="mb-5 h-32 w-48" />}
          <h1 className="text-3xl">{title}</h1>
          <div className="mt-2">{badge}</div>
          <div className="mt-4 max-w-md text-muted">{children}</div>
          <div className={`mt-3 ${moment ? '' : '[&>p]:justify-center'}`}>
            <HostedBy event={event} />
          </div>
          {facts && <div className="mt-5 w-full">{facts}</div>}
          <div className="mt-7 flex w-full max-w-sm flex-col gap-3 empty:hidden">
            {returns && (
              <ButtonLink to={paths.event(event.id)} size="large" wide>
                Return to Event
              </ButtonLink>
            )}
            {actions}
          </div>
        </div>
      </Card>
      {below}
    </Page>
  )
}

/** The application is on this device, and the server has not confirmed it. */
export function ApplicationOnDevice(props: {
  event: PublicEvent
  application: UnsentApplication
  onCorrect: () => void
  onChanged: () => Promise<void>
  onAnother: ((handedOn: boolean) => void) | undefined
}) {
  const { event, application, onCorrect, onChanged, onAnother } = props
  const unreachable = useObservable(reachability) === 'unreachable'
  const { fields } = application.args
  const kept = { eventId: event.id, entryKey: application.entry.key }
  return (
    <StateCard
      event={event}
      illustration="offline"
      title="Saved on this device"
      returns={!unreachable || !canBeShown(event)}
      badge={<SyncLabel state="on-this-phone" detail={unreachable ? 'waiting for a network' : 'on its way'} />}
      actions={
        <>
          <ShowToOrganizer event={event} application={application} isOffered={unreachable} />
          {describeEntry(application.entry).neverLeft && (
            <Button variant="secondary" wide onClick={onCorrect}>
              Correct it
            </Button>
          )}
          <LeaveDevice kept={kept} unsent={[application.entry]} onRemoved={onChanged} onAnother={onAnother} />
        </>
      }
    >
      <p>
        {browserLimits().sendsWhenClosed
          ? `Saved on this device — it will be sent automatically. You can close this page, ${fields.firstName}; open it again to see whether your application has arrived.`
          : `Saved on this device — it will be sent automatically while Beaconry is open. Keep this page open, ${fields.firstName}, or open it again within a week when you are online.`}{' '}
        Once it has arrived, this device can tell you the answer.
      </p>
    </StateCard>
  )
}

/** Correcting the form cannot mend these refusals. */
const nextSteps: Readonly<Record<string, string>> = {
  not_allowed_now: 'Your application arrived too late. What you wrote is kept below until you discard it.',
  duplicate_application: 'Look for it in your inbox. If this is not your address, correct it below and send again.',
}

/** Is shown above the form, which still holds everything. */
export function ApplicationRefused({ application }: { application: UnsentApplication }) {
  const [asking, setAsking] = useState(false)
  const { seq, refusal } = application.entry
  const next = nextSteps[refusal?.problem.code ?? ''] ?? 'Everything you wrote is below. Correct it and send it again.'
  const discard = async () => {
    setAsking(false)
    await outbox.discard(seq)
    toast({
      title: 'Application discarded',
      action: { label: 'Undo', onClick: () => void outbox.putBack(application.entry) },
    })
  }
  return (
    <>
      <Alert
        className="mb-5"
        variant="destructive"
        title="Application Failed"
        action={
          <Button variant="secondary" onClick={() => setAsking(true)}>
            Discard
          </Button>
        }
      >
        <p>Error: {refusal?.problem.message ?? 'It was refused.'}</p>
        <p>{next}</p>
      </Alert>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void discard()}
        confirmLabel="Discard"
      >
        Your application is removed from this device.
      </ConfirmDialog>
    </>
  )
}
