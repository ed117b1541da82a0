import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  forgetApplication,
  isRefused,
  type KeptApplication,
  type UnsentChanges,
} from '../../device/forget-application.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import type { Entry } from '../../outbox/entry.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'

function failed(error: unknown): void {
  toast({ variant: 'destructive', title: 'It is still on this device', description: saveFailureText(error) })
}

/** Without a name: whoever comes next reads it. */
const removed: Record<UnsentChanges | 'sent', string> = {
  sent: 'The organizer has the application. The link in its email still opens it.',
  'send-first': 'It is sent by itself as soon as there is a network, and then nothing of it is kept here.',
  discard: 'What was not sent yet is never sent.',
}

interface RemovalProps {
  readonly application: KeptApplication
  /** Changes of it that the server does not have. */
  readonly unsent: readonly Entry[]
  /** The queue is to be read again. */
  readonly onRemoved: () => Promise<void>
}

/** Takes somebody's application off a device that others use too. */
export function RemoveFromDevice({ application, unsent, onRemoved }: RemovalProps) {
  const [asking, setAsking] = useState(false)
  const [pending, setPending] = useState<UnsentChanges>()
  const navigate = useNavigate()
  const remove = async (choice: UnsentChanges) => {
    setPending(choice)
    try {
      await forgetApplication(application, choice)
      setAsking(false)
      // No way back leads to what was here.
      await navigate(paths.event(application.eventId), { replace: true })
      await onRemoved()
      toast({ title: 'Removed from this device', description: removed[unsent.length === 0 ? 'sent' : choice] })
    } catch (error) {
      failed(error)
    } finally {
      setPending(undefined)
    }
  }
  return (
    <div className="text-left">
      <Button variant="ghost" wide onClick={() => setAsking(true)}>
        Remove from This Device
      </Button>
      {unsent.length === 0 ? (
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          onConfirm={() => void remove('discard')}
          title="Remove it from this device?"
          confirmLabel="Remove"
          cancelLabel="Keep It Here"
          pending={pending !== undefined}
          pendingText="Removing..."
          variant="primary"
        >
          Good on a device that others use too: nobody after you finds your application here. The organizer keeps it,
          and the link in your email still opens it.
        </ConfirmDialog>
      ) : (
        <UnsentDialog
          open={asking}
          isNew={'entryKey' in application}
          canBeSent={!unsent.some(isRefused)}
          pending={pending}
          onClose={() => setAsking(false)}
          onChoose={(choice) => void remove(choice)}
        />
      )}
    </div>
  )
}

/** Something was not sent yet: it is not lost without a word. */
function UnsentDialog({
  open,
  isNew,
  canBeSent,
  pending,
  onClose,
  onChoose,
}: {
  open: boolean
  /** The application itself, not a change of one that the server has. */
  isNew: boolean
  canBeSent: boolean
  pending: UnsentChanges | undefined
  onClose: () => void
  onChoose: (choice: UnsentChanges) => void
}) {
  const what = isNew ? 'Your application' : 'Your last change'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      shape="box"
      role="alertdialog"
      title={`${what} has not been sent yet`}
      description={
        canBeSent
          ? 'It can leave by itself as soon as there is a network. Nobody sees it here until then, and afterwards nothing of it is kept.'
          : 'It was not accepted as it is. Removed from here it is never sent.'
      }
      footer={
        <div className="flex flex-col gap-3">
          {canBeSent && (
            <Button wide pending={pending === 'send-first'} onClick={() => onChoose('send-first')} data-autofocus>
              Send It, Then Keep Nothing
            </Button>
          )}
          <Button wide variant="danger-quiet" pending={pending === 'discard'} onClick={() => onChoose('discard')}>
            Remove Without Sending
          </Button>
          <Button wide variant="secondary" onClick={onClose} {...(canBeSent ? {} : { 'data-autofocus': true })}>
            Keep It on This Device
          </Button>
        </div>
      }
    />
  )
}

/**
 * The form for the next person. A device that is handed on keeps nothing of who applied before, unless they want it: what
 * the server does not have yet is sent first.
 * @param applications those of this event that this device knows
 */
export function ApplyForAnother({
  applications,
  onRemoved,
  onAnother,
}: {
  applications: readonly KeptApplication[]
  onRemoved: () => Promise<void>
  onAnother: (handedOn: boolean) => void
}) {
  const [keeps, setKeeps] = useState(false)
  const [busy, setBusy] = useState(false)
  const goOn = async () => {
    if (keeps) return onAnother(false)
    setBusy(true)
    try {
      for (const application of applications) await forgetApplication(application, 'send-first')
      onAnother(true)
      await onRemoved()
    } catch (error) {
      failed(error)
      setBusy(false)
    }
  }
  return (
    <div className="mt-2 border-t border-base-300 pt-4 text-left">
      <Button variant="secondary" wide pending={busy} onClick={() => void goOn()}>
        Apply for someone else
      </Button>
      <CheckboxField
        label="Keep my application on this device"
        hint="Otherwise the next person finds nothing of it. The link in your email still opens it."
        checked={keeps}
        onChange={(event) => setKeeps(event.target.checked)}
      />
    </div>
  )
}
