import { takeBackMs } from '#shared/events/cancellation.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { useSession } from '../../device/session/session.ts'
import { outbox, serverNow, mutations } from '../../sync/index.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { formatMoment } from '../../ui/page/local-time.ts'
import { may } from '../../device/session/acting.ts'
import { toast } from '../../ui/toast.ts'

export const mayBeCancelled = (event: EventDocument, now: Date): boolean =>
  event.cancelledAt === undefined && !hasEnded(event, now)

export function CancelDialog(props: { event: EventDocument; open: boolean; onClose: () => void }) {
  const { event, open, onClose } = props
  const userId = useSession().user?.id ?? null
  const [writing, run] = useAction('Cancelling Failed', 'Error: ')

  async function cancel() {
    await run(async () => {
      const args = { id: event.id, name: event.name, cancelledAt: serverNow().toISOString() }
      await outbox.enqueue(mutations.cancelEvent, args, { userId })
      toast({ title: 'Event Cancelled' })
    })
    onClose()
  }

  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => void cancel()}
      title={`Cancel ${event.name}?`}
      confirmLabel="Cancel Event"
      cancelLabel="Keep It"
      pending={writing}
      pendingText="Cancelling..."
    >
      Your Beacons and everyone who has applied get an email. The page stays and says that the event is cancelled. You
      can take this back for a day.
    </ConfirmDialog>
  )
}

export function CancellationNotice({ event, now }: { event: EventDocument; now: Date }) {
  const userId = useSession().user?.id ?? null
  const [writing, run] = useAction('Taking Back Failed', 'Error: ')
  if (event.cancelledAt === undefined) return null
  const until = new Date(Date.parse(event.cancelledAt) + takeBackMs)
  const mayTakeBack = now <= until

  async function takeBack() {
    await run(async () => {
      await outbox.enqueue(mutations.reinstateEvent, { id: event.id, name: event.name }, { userId })
      toast({ title: 'Cancellation Taken Back', description: 'Everyone who got the email gets another one.' })
    })
  }

  return (
    <Alert
      className="no-print mt-3"
      variant="destructive"
      title="This event is cancelled"
      action={
        mayTakeBack &&
        may('manager') && (
          <Button
            variant="secondary"
            size="small"
            pending={writing}
            pendingText="Saving..."
            onClick={() => void takeBack()}
          >
            Take Back the Cancellation
          </Button>
        )
      }
    >
      No one can apply now, and the page says so.
      {mayTakeBack && ` You can take this back until ${formatMoment(until.toISOString(), now)}.`}
    </Alert>
  )
}
