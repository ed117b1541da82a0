import { lazy, Suspense, useState } from 'react'
import type { User } from '#shared/api/accounts.ts'
import { call, Unreachable } from '../api/call.ts'
import { refreshUser, useSession } from '../session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { toast } from '../ui/toast.ts'

/** The form brings the validation library along, which the dashboard does not need. */
const ChangeEmailForm = lazy(async () => ({
  default: (await import('../forms/change-email-form.tsx')).ChangeEmailForm,
}))

/** Who was remembered before there was such a mark counts as confirmed. */
const isUnconfirmed = (user: User) => 'emailVerified' in user && !user.emailVerified

/**
 * Asks, quietly, for the address to be confirmed; nothing waits for it. Renders nothing once it is, whoever heard of it
 * first: the session or the replica (`user`).
 */
export function UnconfirmedEmail({ user }: { user: User }) {
  const { user: known } = useSession()
  const [sending, setSending] = useState(false)
  const [changing, setChanging] = useState(false)
  if (!isUnconfirmed(user) || known === null || !isUnconfirmed(known)) return null

  const send = async () => {
    setSending(true)
    try {
      const { message } = await call('resendVerification')
      toast({ title: 'Email sent', description: message })
      await refreshUser()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const description =
        error instanceof Unreachable ? `${reason} Please try again when there is a connection.` : reason
      toast({ variant: 'destructive', title: 'The email could not be sent', description })
    } finally {
      setSending(false)
    }
  }

  return (
    <>
      <Alert
        variant="quiet"
        title="Please confirm your email"
        action={
          <>
            <Button variant="secondary" pending={sending} pendingText="Sending..." onClick={() => void send()}>
              Send again
            </Button>
            <Button variant="ghost" onClick={() => setChanging(true)}>
              Wrong address?
            </Button>
          </>
        }
      >
        Open the link we sent to <span className="font-medium break-all">{user.email}</span>.
      </Alert>
      <ChangeEmailDialog current={user.email} open={changing} onClose={() => setChanging(false)} />
    </>
  )
}

/** Another address for the account; it stays as it is until the link sent there is opened. */
function ChangeEmailDialog({ current, open, onClose }: { current: string; open: boolean; onClose: () => void }) {
  const [said, setSaid] = useState<string | null>(null)
  const close = () => {
    setSaid(null)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      shape="box"
      title={said === null ? 'Change your email' : 'Check your email'}
      description={said ?? `Now ${current}. It changes when you open the link we send to the new one.`}
      footer={
        said !== null && (
          <Button wide onClick={close}>
            Done
          </Button>
        )
      }
    >
      {said === null && (
        <Suspense fallback={<Spinner label="Loading" />}>
          <ChangeEmailForm current={current} onSent={setSaid} />
        </Suspense>
      )}
    </Dialog>
  )
}
