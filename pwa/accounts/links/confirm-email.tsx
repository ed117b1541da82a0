import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { usePageTitle } from '../../page/page-title.ts'
import { UnconfirmedEmail } from '../unconfirmed-email.tsx'
import { DeadLink } from './dead-link.tsx'
import { useConfirmation } from './use-confirmation.ts'

/** Confirms an address by the link of a mail, signed in or not. */
export function ConfirmEmail({ token, onConfirmed }: { token: string | null; onConfirmed: (email: string) => void }) {
  usePageTitle('Confirm your email')
  const { progress, retry } = useConfirmation(token)
  const { user } = useSession()

  switch (progress.state) {
    case 'confirming':
      return <PageSpinner label="Confirming your email" />
    case 'unreachable':
      return <NoConnection onRetry={retry} />
    case 'confirmed':
      return <Confirmed {...progress.answer} isKnown={user !== null} onSignIn={onConfirmed} />
    case 'dead':
      return (
        <DeadLink
          reason={progress.reason}
          action={
            <ButtonLink to={user ? paths.dashboard : paths.auth}>{user ? 'Go to Dashboard' : 'Sign In'}</ButtonLink>
          }
          below={user && <UnconfirmedEmail user={user} />}
        >
          {user ? 'A newer one may be in your email.' : 'Sign in, and your profile sends you a new one.'}
        </DeadLink>
      )
  }
}

function Confirmed({
  purpose,
  email,
  isKnown,
  onSignIn,
}: {
  purpose: 'verify' | 'change'
  email: string
  isKnown: boolean
  onSignIn: (email: string) => void
}) {
  return (
    <Page width="narrow">
      <Card className="shadow-lift">
        <EmptyState
          illustration="sent"
          level={1}
          title={purpose === 'change' ? 'Your email is changed' : 'Your email is confirmed'}
          action={
            isKnown ? (
              <ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>
            ) : (
              <ButtonLink to={paths.auth} onClick={() => onSignIn(email)}>
                Sign In
              </ButtonLink>
            )
          }
        >
          <strong className="font-semibold break-all text-base-content">{email}</strong>{' '}
          {purpose === 'change' ? 'is what you sign in with from now on.' : 'is yours, and we know it now.'}
        </EmptyState>
      </Card>
    </Page>
  )
}

function NoConnection({ onRetry }: { onRetry: () => void }) {
  return (
    <Page width="narrow">
      <Card className="shadow-lift">
        <EmptyState
          illustration="offline"
          level={1}
          title="Confirming needs a connection"
          action={<Button onClick={onRetry}>Try Again</Button>}
        >
          It happens by itself as soon as there is one.
        </EmptyState>
      </Card>
    </Page>
  )
}
