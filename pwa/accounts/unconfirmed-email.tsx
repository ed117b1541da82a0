import { MailQuestionMark } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { User } from '#shared/accounts/account-calls.ts'
import { call, Unreachable } from '../sync/index.ts'
import { refreshUser, useSession } from '../device/session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { loadable } from '../ui/failure-boundary.tsx'
import { Spinner } from '../ui/loading.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { toast } from '../ui/toast.ts'

/** Lazy: the form loads the validation library, which the dashboard does not need. */
const ChangeEmailForm = loadable(async () => (await import('./forms/account-forms.ts')).ChangeEmailForm)

/** Renders nothing once the session or the replica (`user`) has the address as confirmed. */
export function UnconfirmedEmail({ user }: { user: User }) {
  const { user: known } = useSession()
  const [sending, run] = useAction('The email could not be sent')
  const [changing, setChanging] = useState(false)
  if (user.emailVerified || known === null || known.emailVerified) return null

  const send = () =>
    run(async () => {
      const { message } = await call('resendVerification').catch((error: Error) => {
        if (!(error instanceof Unreachable)) throw error
        throw new Error(`${error.message} Please try again when there is a connection.`)
      })
      toast({ title: 'Email sent', description: message })
      await refreshUser()
    })

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 rounded-box border border-base-300 py-1 pr-1 pl-4">
        <div className="flex min-w-0 flex-[1_1_15rem] items-center gap-3 py-1.5">
          <MailQuestionMark className="size-5 shrink-0 text-signal" />
          <p className="min-w-0">
            Please confirm your email
            <span className="block text-sm break-words text-muted">Link sent to {user.email}</span>
          </p>
        </div>
        <div className="ml-4 flex flex-wrap pointer-fine:ml-5">
          <Button variant="ghost" size="small" pending={sending} pendingText="Sending..." onClick={() => void send()}>
            Send again
          </Button>
          <Button variant="ghost" size="small" className="font-normal" onClick={() => setChanging(true)}>
            Wrong address?
          </Button>
        </div>
      </div>
      <ChangeEmailDialog current={user.email} open={changing} onClose={() => setChanging(false)} />
    </>
  )
}

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
      description={said ?? `It is ${current} now, and changes once you confirm the new one by the link we send to it.`}
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
