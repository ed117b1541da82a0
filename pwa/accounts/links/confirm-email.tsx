import { useMemo, useState } from 'react'
import type { Routes } from '#shared/api/routes.ts'
import type { Answer } from '#shared/contract/route.ts'
import { call, Refused, questions } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { refreshUser, useSession } from '../../device/session/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { usePageTitle } from '../../ui/page/page-title.ts'
import { UnconfirmedEmail } from '../unconfirmed-email.tsx'
import { deadLink, LinkOutcome } from './link-outcome.tsx'

/** A reason is the server's text. */
type Outcome = Answer<Routes['confirmEmail']> | { readonly reason: string }
const incomplete: Outcome = { reason: 'Please open it in the email once more.' }
const when: questions.RefetchOptions<Outcome> = { reachable: 'after failure' }

/** The server accepts a repeat, so a reload or a lost answer does no harm. */
async function confirm(token: string): Promise<Outcome> {
  try {
    const answer = await call('confirmEmail', { body: { token } })
    void refreshUser().catch(() => undefined)
    return answer
  } catch (error) {
    if (error instanceof Refused && error.status < 429) return { reason: error.message }
    throw error
  }
}

/** It takes a press, because mail scanners open links, too. Without a network it confirms once there is one. */
export function ConfirmEmail({ token, onConfirmed }: { token: string | null; onConfirmed: (email: string) => void }) {
  usePageTitle('Confirm your email')
  const question = useMemo(() => questions.createQuestion({ call: () => confirm(token ?? '') }), [token])
  const [isPressed, setPressed] = useState(false)
  const { answer, failure } = questions.useAnswer(question, isPressed ? when : null)
  const { user } = useSession()
  const outcome = token === null ? incomplete : answer

  if (!outcome && failure) {
    return (
      <LinkOutcome
        illustration="offline"
        title="Confirming needs a connection"
        action={<Button onClick={() => void question.ask()}>Try Again</Button>}
      >
        It happens automatically as soon as there is one.
      </LinkOutcome>
    )
  }
  if (!outcome) {
    return (
      <LinkOutcome
        illustration="inbox"
        title="Confirm your email"
        action={
          <Button pending={isPressed} pendingText="Confirming..." onClick={() => setPressed(true)}>
            Confirm Email
          </Button>
        }
      >
        Did you ask for this? Then confirm that the address which got the email is yours.
      </LinkOutcome>
    )
  }
  if ('reason' in outcome) {
    return (
      <LinkOutcome
        {...deadLink}
        action={
          <ButtonLink to={user ? paths.dashboard : paths.auth}>{user ? 'Go to Dashboard' : 'Sign In'}</ButtonLink>
        }
        below={user && <UnconfirmedEmail user={user} />}
      >
        {outcome.reason} {user ? 'A newer one may be in your email.' : 'Sign in, and your profile sends you a new one.'}
      </LinkOutcome>
    )
  }
  const { email, purpose } = outcome
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

const confirmed = {
  verify: { title: 'Your email is confirmed', text: 'is now confirmed as yours.' },
  change: { title: 'Your email is changed', text: 'is what you sign in with from now on.' },
  contact: {
    title: 'Your contact address is confirmed',
    text: 'is shown with your events, and gets the answers to their emails.',
  },
}
