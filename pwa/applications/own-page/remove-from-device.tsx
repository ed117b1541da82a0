import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  forgetApplication,
  isRefused,
  type KeptApplication,
  type UnsentChanges,
} from '../../device/forget-application.ts'
import { toastFailure } from '../../ui/forms/failure-toast.ts'
import { useAction } from '../../ui/forms/use-action.ts'
import type { Entry } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'

const none: readonly KeptApplication[] = []

const failedTitle = 'It is still on this device'

/** Without a name: the next person on this device reads it. */
const removed: Record<UnsentChanges | 'sent', string> = {
  sent: 'The organizer has the application. The link in its email still opens it.',
  'send-first': 'It will be sent automatically as soon as there is a network, and then nothing of it is kept here.',
  discard: 'What was not sent yet is never sent.',
}

export interface LeaveDeviceProps {
  readonly kept: KeptApplication
  readonly others?: readonly KeptApplication[]
  /** The server does not have these. */
  readonly unsent: readonly Entry[]
  /** Reads the queue again. */
  readonly onRemoved: () => Promise<void>
  /** `handedOn` means that nothing stays here. Undefined means that it is not offered. */
  readonly onAnother: ((handedOn: boolean) => void) | undefined
}

/** Helps on a device that several people share. */
export function LeaveDevice(props: LeaveDeviceProps) {
  return (
    <>
      <RemoveFromDevice {...props} />
      {props.onAnother && <ApplyForAnother {...props} onAnother={props.onAnother} />}
    </>
  )
}

function RemoveFromDevice({ kept, unsent, onRemoved }: LeaveDeviceProps) {
  const [asking, setAsking] = useState(false)
  const [pending, setPending] = useState<UnsentChanges>()
  const navigate = useNavigate()
  const remove = async (choice: UnsentChanges) => {
    setPending(choice)
    try {
      await forgetApplication(kept, choice)
      setAsking(false)
      // Back must not lead to the removed application.
      await navigate(paths.event(kept.eventId), { replace: true })
      await onRemoved()
      toast({ title: 'Removed from this device', description: removed[unsent.length === 0 ? 'sent' : choice] })
    } catch (error) {
      toastFailure(failedTitle, error)
    } finally {
      setPending(undefined)
    }
  }
  const onClose = () => setAsking(false)
  const isUnsent = unsent.length > 0
  const canBeSent = isUnsent && !unsent.some(isRefused)
  const description = canBeSent
    ? 'It can be sent automatically as soon as there is a network. No one sees it here until then, and afterwards nothing of it is kept.'
    : isUnsent
      ? 'It was not accepted as it is. Removed from here it is never sent.'
      : 'Good on a device that others use too: no one after you finds your application here. The organizer keeps it, and the link in your email still opens it.'
  return (
    <div className="text-left">
      <Button variant="ghost" wide onClick={() => setAsking(true)}>
        Remove from This Device
      </Button>
      <Dialog
        open={asking}
        onClose={onClose}
        shape="box"
        role="alertdialog"
        title={
          isUnsent
            ? `${'entryKey' in kept ? 'Your application' : 'Your last change'} has not been sent yet`
            : 'Remove it from this device?'
        }
        description={description}
        footer={
          <div className="flex flex-col gap-3">
            {canBeSent && (
              <Button wide pending={pending === 'send-first'} onClick={() => void remove('send-first')}>
                Send It, Then Keep Nothing
              </Button>
            )}
            <Button
              wide
              variant={isUnsent ? 'danger-quiet' : 'primary'}
              pending={pending === 'discard'}
              onClick={() => void remove('discard')}
            >
              {isUnsent ? 'Remove Without Sending' : 'Remove'}
            </Button>
            <Button wide variant="secondary" onClick={onClose} data-autofocus>
              Keep It on This Device
            </Button>
          </div>
        }
      />
    </div>
  )
}

/** Unless kept, the event's applications are removed from this device; unsent changes are sent first. */
function ApplyForAnother(props: LeaveDeviceProps & { onAnother: (handedOn: boolean) => void }) {
  const { kept, others = none, onRemoved, onAnother } = props
  const [keeps, setKeeps] = useState(false)
  const [busy, run] = useAction(failedTitle)
  const goOn = async () => {
    if (keeps) return onAnother(false)
    await run(async () => {
      for (const application of [kept, ...others]) await forgetApplication(application, 'send-first')
      onAnother(true)
      await onRemoved()
    })
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
