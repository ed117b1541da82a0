import { Link } from 'react-router-dom'
import { deletionGraceDays } from '#shared/accounts/deletion-grace.ts'
import { useAccount } from '../sync/index.ts'
import { useSession } from '../device/session/session.ts'
import { Card, CardTitle } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { paths } from '../paths.ts'
import { usePageTitle } from '../ui/page/page-title.ts'
import { ChangeNameForm } from './forms/change-name-form.tsx'
import { AccountEnding } from './account-ending.tsx'
import { DeleteAccountForm } from './forms/delete-account-form.tsx'
import { DownloadDataForm } from './forms/download-data-form.tsx'
import { ChangePasswordForm } from './forms/change-password-form.tsx'

export function AccountSettingsScreen() {
  usePageTitle('Account settings')
  const { user } = useSession()
  const { account } = useAccount()
  const shown = account?.user ?? user
  return (
    <Page width="text" title="Account settings" lead={shown && <span className="break-all">{shown.email}</span>}>
      <LoginRequired>Please log in to change your account.</LoginRequired>
      {shown && (
        <div className="flex flex-col gap-6">
          <Card as="section" aria-labelledby="name">
            <CardTitle id="name">Change username</CardTitle>
            <p className="mb-4 text-muted">
              Guests see it as the host of your events, unless your{' '}
              <Link to={paths.profile} className="underline underline-offset-4">
                profile
              </Link>{' '}
              names an organization.
            </p>
            <ChangeNameForm key={shown.username} username={shown.username} />
          </Card>
          <Card as="section" aria-labelledby="password">
            <CardTitle id="password">Change password</CardTitle>
            <p className="mb-4 text-muted">Every other device is signed out, and an email tells you.</p>
            <ChangePasswordForm email={shown.email} />
          </Card>
          <Card as="section" aria-labelledby="data">
            <CardTitle id="data">Download my data</CardTitle>
            <p className="mb-4 text-muted">
              What we keep about you and your events, as one file. What applicants wrote is theirs and not in it.
            </p>
            <DownloadDataForm email={shown.email} />
          </Card>
          <Card as="section" aria-labelledby="deletion">
            <CardTitle id="deletion">Delete my account</CardTitle>
            {shown.deletesAt ? (
              <AccountEnding user={shown} />
            ) : (
              <>
                <p className="mb-4 text-muted">
                  Your account, your events with their applications and everything you wrote are deleted in{' '}
                  {deletionGraceDays} days. Until then everything works as before, and you can change your mind. On that
                  day the applicants of coming events get an email that they are cancelled.
                </p>
                <DeleteAccountForm email={shown.email} />
              </>
            )}
          </Card>
        </div>
      )}
    </Page>
  )
}
