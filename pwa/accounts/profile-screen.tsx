import { useAccount } from '../replica/view/use-account.ts'
import { useSession } from '../session/session.ts'
import { Card, CardTitle } from '../ui/card.tsx'
import { ComingSoonButton } from '../ui/coming-soon-button.tsx'
import { Page } from '../ui/page.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { useSignOut } from './use-sign-out.tsx'
import { LoginRequired } from '../page/login-required.tsx'
import { usePageTitle } from '../page/page-title.ts'
import { AccountCard } from './profile/account-card.tsx'
import { AlertsCard } from './profile/alerts-card.tsx'
import { DeviceCard } from './profile/device-card.tsx'
import { SessionsCard } from './profile/sessions-card.tsx'
import { TestEmailCard } from './profile/test-email-card.tsx'
import { useAlertedDevices, useSessions } from './profile/profile-answers.ts'
import { useMinute } from '../page/use-minute.ts'

/** The account, this device, and where else the person is signed in. All but that list stands without a network. */
export function ProfileScreen() {
  usePageTitle('Profile')
  const { user } = useSession()
  const { account } = useAccount()
  const now = useMinute()
  const sessions = useSessions()
  const alerted = useAlertedDevices()
  // Both lists name devices, and alerts end with their session.
  const reload = async () => {
    await Promise.all([sessions.ask(), alerted.ask()])
  }
  const leaving = useSignOut(user)
  // The replica hears of a new plan at once; before its first pull there is what the session remembers.
  const shown = account?.user ?? user
  return (
    <TooltipProvider>
      <Page title="Profile">
        <LoginRequired>Please log in to view your profile.</LoginRequired>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="flex flex-col gap-6">
            {shown && <AccountCard user={shown} now={now} />}
            <SessionsCard {...sessions} ask={reload} />
            <TestEmailCard />
          </div>
          <div className="flex flex-col gap-6">
            <DeviceCard onChanged={() => void reload()} onWipe={leaving.wipe} />
            <AlertsCard user={shown} alerted={alerted} onChanged={() => void reload()} />
            <MoreCard />
          </div>
        </div>
        {leaving.dialog}
      </Page>
    </TooltipProvider>
  )
}

function MoreCard() {
  return (
    <Card as="section" tone="quiet" aria-labelledby="more">
      <CardTitle id="more">Coming soon</CardTitle>
      <div className="flex flex-wrap gap-3">
        <ComingSoonButton>Edit Profile</ComingSoonButton>
        <ComingSoonButton>Change Password</ComingSoonButton>
        <ComingSoonButton>Download Data</ComingSoonButton>
        <ComingSoonButton>Delete Account</ComingSoonButton>
      </div>
    </Card>
  )
}
