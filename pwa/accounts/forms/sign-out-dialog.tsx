import { useState } from 'react'
import type { SignOutProgress, Unsent } from '../../session/session.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'

/** What becomes of text that was typed and never sent. */
export const draftsGo = (drafts: number) =>
  drafts === 1
    ? 'A draft of yours was never published or saved, and is deleted from this device.'
    : `${drafts} drafts of yours were never published or saved, and are deleted from this device.`

const progressLabels = {
  sending: 'Sent',
  cancelling: 'Cancelled on the server',
} as const

/** Asks what becomes of changes that the server does not have yet, before someone signs out. */
export function SignOutDialog({
  open,
  unsent,
  drafts,
  progress,
  onClose,
  onChoose,
}: {
  open: boolean
  /** How many changes are not confirmed. */
  unsent: number
  /** How many texts go with the account, whatever is chosen. */
  drafts: number
  /** How far it has come with the changes; null while nothing was chosen. */
  progress: SignOutProgress | null
  onClose: () => void
  /** Resolves when it is done, with the reason if it failed; the dialog is closed by its owner. */
  onChoose: (choice: Unsent) => Promise<string | null>
}) {
  const [chosen, setChosen] = useState<Unsent>()
  const [failure, setFailure] = useState<string | null>(null)
  const choose = async (choice: Unsent) => {
    setChosen(choice)
    setFailure(null)
    setFailure(await onChoose(choice))
    setChosen(undefined)
  }
  const what = unsent === 1 ? '1 change has' : `${unsent} changes have`
  return (
    <Dialog
      open={open}
      onClose={onClose}
      shape="box"
      title="Some changes are not sent yet"
      description={`${what} not reached our server. What should happen before you sign out?`}
      footer={
        <div className="flex flex-col gap-3">
          <Button
            wide
            pending={chosen === 'send'}
            pendingText="Sending..."
            onClick={() => void choose('send')}
            data-autofocus
          >
            Send now, then sign out
          </Button>
          <Button wide variant="secondary" pending={chosen === 'keep'} onClick={() => void choose('keep')}>
            Keep for this account
          </Button>
          <Button
            wide
            variant="danger-quiet"
            pending={chosen === 'discard'}
            pendingText="Discarding..."
            onClick={() => void choose('discard')}
          >
            Discard and sign out
          </Button>
        </div>
      }
    >
      {failure && (
        <div className="mb-4">
          <Alert variant="destructive" title="Logout failed">
            {failure}
          </Alert>
        </div>
      )}
      {progress && (
        <div className="mb-4">
          <ProgressBar label={progressLabels[progress.doing]} value={progress.done} max={progress.total} />
        </div>
      )}
      <p className="text-sm text-muted">
        Kept changes stay on this device, locked. They are sent when you sign in here again, and nobody else can see or
        send them.
        {drafts > 0 && ` ${draftsGo(drafts)}`}
      </p>
    </Dialog>
  )
}
