import { useState } from 'react'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import type { SendProgress } from '../../sync/index.ts'
import type { Unsent } from '../../device/session/session.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/figures.tsx'

export interface SignOutQuestion {
  readonly about: 'unsent' | 'drafts' | 'wipe'
  readonly unsent: number
  /** These texts go with the account, whatever is chosen. */
  readonly drafts: number
}

const draftsGo = (drafts: number) =>
  drafts === 1
    ? 'A draft of yours was never published or saved, and is deleted from this device.'
    : `${drafts} drafts of yours were never published or saved, and are deleted from this device.`

interface SignOutQuestionsProps extends SignOutQuestion {
  /** It is null while nothing is being sent. */
  readonly progress: SendProgress | null
  readonly onClose: () => void
  /** Resolves with the reason of a failure, or null; the owner closes the dialog. */
  readonly onLeave: (choice: Unsent) => Promise<string | null>
}

export function SignOutQuestions({ about, unsent, drafts, progress, onClose, onLeave }: SignOutQuestionsProps) {
  const [chosen, setChosen] = useState<Unsent>()
  const [failure, setFailure] = useState<string | null>(null)
  const choose = async (choice: Unsent) => {
    setChosen(choice)
    setFailure(null)
    setFailure(await onLeave(choice))
    setChosen((newest) => (newest === choice ? undefined : newest))
  }
  const what = unsent === 1 ? '1 change has' : `${unsent} changes have`
  if (about === 'unsent') {
    return (
      <Dialog
        open
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
          <Alert className="mb-4" variant="destructive" title="Logout failed">
            {failure}
          </Alert>
        )}
        {progress && (
          <div className="mb-4">
            <ProgressBar label="Sent" value={progress.done} max={progress.total} />
          </div>
        )}
        <p className="text-sm text-muted">
          Kept changes stay on this device, locked. They are sent when you sign in here again, and no one else can see
          or send them.
          {drafts > 0 && ` ${draftsGo(drafts)}`}
        </p>
      </Dialog>
    )
  }
  const isWipe = about === 'wipe'
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void choose('discard')}
      title={
        isWipe
          ? 'Wipe this device?'
          : drafts === 1
            ? 'Sign out and delete your draft?'
            : 'Sign out and delete your drafts?'
      }
      confirmLabel={isWipe ? 'Wipe and Sign Out' : 'Sign Out'}
      pending={chosen !== undefined}
      pendingText={isWipe ? 'Wiping...' : 'Signing out...'}
    >
      {isWipe &&
        'You are signed out here. Your events and applicants leave this device, and its alerts end. They are on the server and come back when you sign in. '}
      {drafts > 0 && draftsGo(drafts)}
    </ConfirmDialog>
  )
}
