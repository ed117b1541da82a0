import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { SignOutProgress, Unsent } from '../../session/session.ts'
import { draftsGo, SignOutDialog } from './sign-out-dialog.tsx'

/** What is asked before signing out: about changes that were not sent, about drafts, or about a device that is wiped. */
export type SignOutQuestion = 'unsent' | 'drafts' | 'wipe'

export interface SignOutQuestionsProps {
  readonly asking: SignOutQuestion | null
  /** How many changes were not sent. */
  readonly unsent: number
  readonly drafts: number
  readonly progress: SignOutProgress | null
  readonly leaving: boolean
  readonly onClose: () => void
  /** Answers why it failed, or null. */
  readonly onLeave: (choice: Unsent) => Promise<string | null>
}

/** The questions before signing out, of which one at most is open. */
export function SignOutQuestions(props: SignOutQuestionsProps) {
  const { asking, unsent, drafts, progress, leaving, onClose, onLeave } = props
  return (
    <>
      <SignOutDialog
        open={asking === 'unsent'}
        unsent={unsent}
        drafts={drafts}
        progress={progress}
        onClose={onClose}
        onChoose={onLeave}
      />
      <ConfirmDialog
        open={asking === 'wipe'}
        onClose={onClose}
        onConfirm={() => void onLeave('discard')}
        title="Wipe this device?"
        confirmLabel="Wipe and Sign Out"
        pending={leaving}
        pendingText="Wiping..."
      >
        You are signed out here. Your events and applicants leave this device, and its alerts end. They are on the
        server and come back when you sign in.{drafts > 0 && ` ${draftsGo(drafts)}`}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'drafts'}
        onClose={onClose}
        onConfirm={() => void onLeave('discard')}
        title={drafts === 1 ? 'Sign out and delete your draft?' : 'Sign out and delete your drafts?'}
        confirmLabel="Sign Out"
        pending={leaving}
        pendingText="Signing out..."
      >
        {draftsGo(drafts)}
      </ConfirmDialog>
    </>
  )
}
