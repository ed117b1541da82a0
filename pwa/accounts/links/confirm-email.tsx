import { useEffect, useState } from 'react'
import type { Routes } from '#shared/api/routes.ts'
import type { Answer } from '#shared/contract/route.ts'
import { call, Refused, reachability } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { refreshUser, useSession } from '../../device/session/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PageSpinner } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page/page-title.ts'
import { UnconfirmedEmail } from '../unconfirmed-email.tsx'
import { deadLink, LinkOutcome } from './link-outcome.tsx'

type Progress =
  | { readonly state: 'confirming' | 'unreachable' }
  | { readonly state: 'confirmed'; readonly answer: Answer<Routes['confirmEmail']> }
  /** `reason` is the server's text. */
  | { readonly state: 'dead'; readonly reason: string }

const incomplete: Progress = { state: 'dead', reason: 'Please open it in the email once more.' }

/** Confirms once there is a network. The server accepts a repeat, so a reload or a lost answer does no harm. */
function useConfirmation(token: string | null): { progress: Progress; retry: () => void } {
  const [progress, setProgress] = useState<Progress>(token === null ? incomplete : { state: 'confirming' })
  const [asking, setAsking] = useState(token !== null)

  useEffect(() => {
    if (token === null || !asking) return
    let left = false
    const settle = (next: Progress) => {
      if (left) return
      setProgress(next)
      setAsking(false)
    }
    call('confirmEmail', { body: { token } })
      .then((answer) => {
        settle({ state: 'confirmed', answer })
        void refreshUser().catch(() => undefined)
      })
      .catch((error: unknown) => {
        const isRefused = error instanceof Refused && error.status < 429
        settle(isRefused ? { state: 'dead', reason: error.message } : { state: 'unreachable' })
      })
    return () => {
      left = true
    }
  }, [token, asking])

  const waits = progress.state === 'unreachable'
  useEffect(() => {
    if (!waits) return
    return reachability.subscribe(() => {
      if (reachability.get() === 'reachable') setAsking(true)
    })
  }, [waits])
  return { progress, retry: () => setAsking(true) }
}

export function ConfirmEmail({ token, onConfirmed }: { token: string | null; onConfirmed: (email: string) => void }) {
  usePageTitle('Confirm your email')
  const { progress, retry } = useConfirmation(token)
  const { user } = useSession()

  switch (progress.state) {
    case 'confirming':
      return <PageSpinner label="Confirming your email" />
    case 'unreachable':
      return (
        <LinkOutcome
          illustration="offline"
          title="Confirming needs a connection"
          action={<Button onClick={retry}>Try Again</Button>}
        >
          It happens by itself as soon as there is one.
        </LinkOutcome>
      )
    case 'confirmed': {
      const { email, purpose } = progress.answer
      return (
        <LinkOutcome
          illustration="sent"
          title={confirmed[purpose].title}
          action={
            user ? (
              <ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>
            ) : (
              <ButtonLink to={paths.auth} onClick={() => onConfirmed(email)}>
                Sign In
              </ButtonLink>
            )
          }
        >
          <strong className="font-semibold break-all text-base-content">{email}</strong> {confirmed[purpose].text}
        </LinkOutcome>
      )
    }
    case 'dead':
      return (
        <LinkOutcome
          {...deadLink}
          action={
            <ButtonLink to={user ? paths.dashboard : paths.auth}>{user ? 'Go to Dashboard' : 'Sign In'}</ButtonLink>
          }
          below={user && <UnconfirmedEmail user={user} />}
        >
          {progress.reason}{' '}
          {user ? 'A newer one may be in your email.' : 'Sign in, and your profile sends you a new one.'}
        </LinkOutcome>
      )
  }
}

const confirmed = {
  verify: { title: 'Your email is confirmed', text: 'is yours, and we know it now.' },
  change: { title: 'Your email is changed', text: 'is what you sign in with from now on.' },
  contact: {
    title: 'Your contact address is confirmed',
    text: 'is shown with your events, and answers to their mails go there.',
  },
}
