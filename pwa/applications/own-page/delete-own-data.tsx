import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call, reachability, Refused } from '../../sync/index.ts'
import { useObservable } from '../../browser/observable.ts'
import { forgetApplication } from '../../device/forget-application.ts'
import { useAction } from '../../ui/forms/use-action.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'

interface DeleteOwnDataProps {
  readonly kept: { readonly eventId: number; readonly applicationId: number; readonly token: string }
  readonly eventName: string
  /** Reads the queue again. */
  readonly onDeleted: () => Promise<void>
}

/** Deletes on the server, then here, and never waits for a network: what is said to be deleted is deleted. */
export function DeleteOwnData({ kept, eventName, onDeleted }: DeleteOwnDataProps) {
  const unreachable = useObservable(reachability) === 'unreachable'
  const [asking, setAsking] = useState(false)
  const [pending, run] = useAction('Your data could not be deleted')
  const navigate = useNavigate()
  const remove = async () => {
    await run(async () => {
      await deleteOnServer(kept.token)
      await forgetApplication(kept, 'discard')
      // Back must not lead to the deleted application.
      await navigate(paths.event(kept.eventId), { replace: true })
      await onDeleted()
      toast({ title: 'Your data is deleted', description: `Nothing from your application for ${eventName} is kept.` })
    })
    setAsking(false)
  }
  return (
    <div>
      <Button variant="danger-quiet" wide onClick={() => setAsking(true)}>
        Delete My Data
      </Button>
      {unreachable && <p className="mt-2 text-sm text-muted">Deleting your data needs a connection.</p>}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
        title="Delete your data?"
        confirmLabel="Delete"
        cancelLabel="Keep It"
        pending={pending}
        pendingText="Deleting..."
      >
        Your application for {eventName} is deleted with everything you wrote, here and with the organizer. This cannot
        be undone, and the link in your email stops working.
      </ConfirmDialog>
    </div>
  )
}

/** A missing application was deleted by a call whose answer was lost. */
async function deleteOnServer(token: string): Promise<void> {
  try {
    await call('deleteOwnApplication', { body: { token } })
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error
  }
}
