import { Send } from 'lucide-react'
import { Suspense, type FormEvent } from 'react'
import { Link } from 'react-router-dom'
import type { User } from '#shared/accounts/account-calls.ts'
import { call, Unreachable, reachability, useAccount } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { useSession } from '../device/session/session.ts'
import { Card } from '../ui/card.tsx'
import { ComingSoonButton, TooltipProvider } from '../ui/tooltip.tsx'
import { loadable } from '../ui/failure-boundary.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { useSignOut } from './use-sign-out.tsx'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { paths } from '../paths.ts'
import { AccountCard } from './profile/account-card.tsx'
import { AlertsCard } from './profile/alerts-card.tsx'
import { DeviceCard } from './profile/device-card.tsx'
import { SessionsCard } from './profile/sessions-card.tsx'
import { useAlertedDevices, useSessions } from './profile/profile-answers.ts'
import { useNow } from '../ui/page/use-now.ts'
import { Button } from '../ui/button.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'

/** All but the list of sessions works without a network. */
export function ProfileScreen() {
  const { user } = useSession()
  const account = useAccount()
  const now = useNow()
  const sessions = useSessions()
  const alerted = useAlertedDevices()
  // Both lists name devices, and alerts end with their session.
  const reload = async () => {
    await Promise.all([sessions.ask(), alerted.ask()])
  }
  const leaving = useSignOut(user)
  // The replica has a new plan first; before its first pull, the session's copy is shown.
  const shown = account?.user ?? user
  return (
    <TooltipProvider>
      <TitledPage title="Profile">
        <LoginRequired>Please log in to view your profile.</LoginRequired>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="flex flex-col gap-6">
            {shown && <AccountCard user={shown} plan={account?.plan ?? null} now={now} />}
            {shown && <HostCard user={shown} />}
            <TestEmailCard />
            <MoreCard />
          </div>
          <div className="flex flex-col gap-6">
            <AlertsCard user={shown} alerted={alerted} onChanged={() => void reload()} />
            <DeviceCard onChanged={() => void reload()} onWipe={leaving.wipe} />
            <SessionsCard {...sessions} ask={reload} />
          </div>
        </div>
        {leaving.dialog}
      </TitledPage>
    </TooltipProvider>
  )
}

/** Lazy: the form loads the validation library, which the rest of the profile does not need. */
const HostForm = loadable(async () => (await import('./forms/account-forms.ts')).HostForm)

function HostCard({ user }: { user: User }) {
  return (
    <Card title="What guests see of you">
      <p className="mb-4 text-muted">Your events and the mails about them say “Hosted by …”.</p>
      <Suspense fallback={<Skeleton shape="card" label="Loading the form" />}>
        <HostForm user={user} />
      </Suspense>
    </Card>
  )
}

export function MoreCard() {
  return (
    <Card tone="quiet" title="Coming soon">
      <div className="flex flex-wrap gap-3">
        <ComingSoonButton>Edit Profile</ComingSoonButton>
        <ComingSoonButton>Change Password</ComingSoonButton>
        <ComingSoonButton>Download Data</ComingSoonButton>
        <ComingSoonButton>Delete Account</ComingSoonButton>
      </div>
      <p className="mt-3 text-sm text-muted">
        Until then, you can do all four in{' '}
        <Link to={paths.accountSettings} className="underline underline-offset-4">
          Account Settings
        </Link>
        .
      </p>
    </Card>
  )
}

const missing = 'Please enter an email address to send the test email to.'
const failedTitle = 'Failed to send test email'

function TestEmailCard() {
  const unreachable = useObservable(reachability) === 'unreachable'
  const [sending, run] = useAction(failedTitle)

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = new FormData(event.currentTarget).get('email')
    if (typeof email !== 'string' || email.trim() === '') {
      toast({ variant: 'destructive', title: 'Email required', description: missing })
      return
    }
    await run(async () => {
      const { message } = await call('sendTestEmail', { body: { email } }).catch((error: Error) => {
        if (error instanceof Unreachable) throw new Error(`${error.message} What you typed stays here.`)
        if (error.message !== failedTitle) throw error
        throw new Error('The mail server did not take it. Please try again later.')
      })
      toast({ title: 'Test email sent', description: message })
    })
  }

  return (
    <Card title="Test email">
      <p className="mb-4 text-muted">See what a Beacon gets when you approve them, filled with sample values.</p>
      <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <TextField
          label="Email address"
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          hint={unreachable ? 'Sending needs a connection. What you type stays here until then.' : undefined}
        />
        <div>
          <Button
            type="submit"
            variant="secondary"
            icon={<Send className="size-5" />}
            pending={sending}
            pendingText="Sending..."
          >
            Send Test Email
          </Button>
        </div>
      </form>
    </Card>
  )
}
