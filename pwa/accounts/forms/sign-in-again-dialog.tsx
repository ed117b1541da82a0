import { Suspense } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureBoundary, loadable } from '../../ui/failure-boundary.tsx'
import { Spinner } from '../../ui/loading.tsx'

/** Lazy: the form loads the validation library, which a first visit does not need. */
const SignInForm = loadable(async () => (await import('./account-forms.ts')).SignInForm)

/** Asks right here, so that the screen below keeps everything typed. */
export function SignInAgainDialog({ email, open, onClose }: { email: string; open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      shape="box"
      title="Please sign in again"
      description="Your session has ended. Nothing is lost: what you typed and changed stays on this device and is sent once you are signed in."
    >
      <FailureBoundary of={open} renderInstead={() => <p>Signing in needs a connection.</p>}>
        <Suspense fallback={<Spinner label="Loading" />}>
          <SignInForm fixedEmail={email} onSignedIn={onClose} />
        </Suspense>
      </FailureBoundary>
    </Dialog>
  )
}
