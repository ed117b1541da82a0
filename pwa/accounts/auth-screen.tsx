import { useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { DemoAccounts, useDemoAccounts, type DemoAccount } from './forms/demo-accounts.tsx'
import { SignInForm } from './forms/sign-in-form.tsx'
import { SignUpForm } from './forms/sign-up-form.tsx'
import { paths } from '../paths.ts'
import { useSession, useSessionAsked } from '../device/session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { PageSpinner } from '../ui/loading.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { ConfirmEmail } from './links/confirm-email.tsx'
import { ForgotPassword } from './links/forgot-password.tsx'
import { NewPassword } from './links/new-password.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'

interface AccountLink {
  readonly view: 'reset' | 'verify'
  /** It is null when the link lost its token. */
  readonly token: string | null
}

/** A test needs it, too. */
export function linkIn(hash: string): AccountLink | null {
  const [, view, token] = /^#(reset|verify)(?:=(.*))?$/.exec(hash) ?? []
  return view === 'reset' || view === 'verify' ? { view, token: token || null } : null
}

const keptToken = (state: unknown): string | null => {
  const token = (state as { readonly linkToken?: unknown } | null)?.linkToken
  return typeof token === 'string' ? token : null
}

/** The token leaves the address at once; this tab remembers it for a reload or a switch to a password manager. */
function useAccountLink(): AccountLink | null {
  const { hash, state, pathname } = useLocation()
  const navigate = useNavigate()
  const link = linkIn(hash)
  const [view, token] = [link?.view, link?.token]
  useEffect(() => {
    if (view === undefined || token == null) return
    void navigate({ pathname, hash: view }, { replace: true, state: { linkToken: token } })
  }, [view, token, pathname, navigate])
  return link && { view: link.view, token: link.token ?? keptToken(state) }
}

/** Only addresses of this app count. */
function wantedAddress(state: unknown): string {
  const from = (state as { readonly from?: unknown } | null)?.from
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('//') && !from.startsWith('/auth')
    ? from
    : '/dashboard'
}

const tabOf = (hash: string) => (hash === '#sign-up' ? 'sign-up' : 'sign-in')

export function AuthScreen() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const link = useAccountLink()
  const [email, setEmail] = useState('')
  const goToSignIn = (address: string) => {
    setEmail(address)
    void navigate(paths.auth, { replace: true })
  }
  // The key makes another link opened in this tab a page of its own.
  if (link?.view === 'reset') return <NewPassword key={link.token} token={link.token} onChanged={goToSignIn} />
  if (link?.view === 'verify') return <ConfirmEmail key={link.token} token={link.token} onConfirmed={setEmail} />
  if (hash === '#forgot') return <ForgotPassword email={email} onEmail={setEmail} />
  return <SignInOrUp email={email} onForgotten={setEmail} />
}

/** A signed-in user goes on to the wanted address. `email` is known from the page before. */
function SignInOrUp({ email, onForgotten }: { email: string; onForgotten: (email: string) => void }) {
  const { state: session, user } = useSession()
  const asked = useSessionAsked()
  const { state, hash } = useLocation()
  const accounts = useDemoAccounts()
  const [{ tab, followed }, setChoice] = useState({ tab: tabOf(hash), followed: hash })
  const setTab = (tab: string) => setChoice({ tab, followed: hash })
  // A link to the other tab works while this page is open; a tab pressed afterwards stays.
  if (followed !== hash) setChoice({ tab: tabOf(hash), followed: hash })
  const [chosen, setChosen] = useState<DemoAccount>()
  usePageTitle(tab === 'sign-in' ? 'Sign In' : 'Sign Up')

  // The remembered session may have ended; then this person, or another one, came here to sign in.
  if (session === 'signed-in' && !asked) return <PageSpinner />
  if (session === 'signed-in') return <Navigate to={wantedAddress(state)} replace />
  return (
    <Page
      width="narrow"
      title={tab === 'sign-in' ? 'Welcome back' : 'Create your account'}
      lead="For organizers. Applying to be a Beacon needs no account."
    >
      <div className="flex flex-col gap-5">
        {session === 'ended' && (
          <Alert variant="signal" title="Your session has ended">
            Sign in as {user.email} and what waits on this device is sent. If another person signs in, it stays here,
            unseen and unsent, until then.
          </Alert>
        )}
        <Card className="shadow-lift">
          <Tabs
            label="Sign in or sign up"
            value={tab}
            onChange={setTab}
            tabs={[
              {
                value: 'sign-in',
                label: 'Sign In',
                keep: true,
                content: (
                  <SignInForm
                    key={chosen?.email}
                    prefill={chosen ?? { email, password: '' }}
                    onForgotten={onForgotten}
                  />
                ),
              },
              {
                value: 'sign-up',
                label: 'Sign Up',
                keep: true,
                content: <SignUpForm />,
              },
            ]}
          />
        </Card>
        <DemoAccounts
          accounts={accounts}
          onChoose={(account) => {
            setChosen(account)
            setTab('sign-in')
          }}
        />
      </div>
    </Page>
  )
}
