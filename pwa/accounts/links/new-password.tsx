import { useEffect, useState } from 'react'
import * as z from 'zod'
import { resetPasswordBody } from '#shared/accounts/account-link-calls.ts'
import { call, Refused } from '../../sync/index.ts'
import { AuthForm, HiddenUsername, NewPasswordFields, passwordsMatch } from '../forms/auth-form.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import { usePageTitle } from '../../ui/page/page-title.ts'
import { deadLink, LinkOutcome } from './link-outcome.tsx'

interface Dead {
  readonly reason: string
  readonly isSpent?: boolean
}

/** Checks the link before any typing. */
export function NewPassword({ token, onChanged }: { token: string | null; onChanged: (email: string) => void }) {
  usePageTitle('Choose a new password')
  const [email, setEmail] = useState('')
  const [dead, setDead] = useState<Dead | null>(
    token === null ? { reason: 'Please open it in the email once more.' } : null,
  )
  useEffect(() => {
    if (token === null) return
    const leaving = new AbortController()
    call('readAccountLink', { body: { token }, signal: leaving.signal })
      .then((link) => setEmail(link.email))
      .catch((error: unknown) => {
        // Without an answer the form stays: saving asks again.
        if (error instanceof Refused && error.status < 429)
          setDead({ reason: error.message, isSpent: error.problem.code === 'gone' })
      })
    return () => leaving.abort()
  }, [token])

  if (token === null || dead !== null) {
    return (
      <LinkOutcome
        {...deadLink}
        action={
          <>
            <ButtonLink to={`${paths.auth}#forgot`}>Send a New Link</ButtonLink>
            <ButtonLink to={paths.auth} variant="secondary">
              Sign In
            </ButtonLink>
          </>
        }
      >
        {dead?.reason} {dead?.isSpent && 'If you have just chosen a new password with it, sign in with that one.'}
      </LinkOutcome>
    )
  }
  return (
    <Page
      width="narrow"
      title="Choose a new password"
      lead={email === '' ? 'For your Beaconry account.' : <span className="break-all">For {email}</span>}
    >
      <Card className="shadow-lift">
        <NewPasswordForm
          token={token}
          email={email}
          onChanged={(changed) => {
            toast({ title: 'Password changed', description: 'Every other device is signed out.' })
            onChanged(changed)
          }}
          onDead={(reason, isSpent) => setDead({ reason, isSpent })}
        />
      </Card>
    </Page>
  )
}

const newPasswordValues = z
  .strictObject({ password: resetPasswordBody.shape.password, confirmPassword: z.string() })
  .refine(...passwordsMatch)

function NewPasswordForm(props: {
  token: string
  email: string
  onChanged: (email: string) => void
  onDead: (reason: string, isSpent: boolean) => void
}) {
  const { token, email, onChanged, onDead } = props
  const form = useZodForm(newPasswordValues, { password: '', confirmPassword: '' })
  return (
    <AuthForm
      form={form}
      send={({ password }) => call('resetPassword', { body: { token, password } })}
      onDone={(answer) => onChanged(answer.email)}
      onRefused={(message, { code }) => {
        if (code === 'gone' || code === 'not_found') onDead(message, code === 'gone')
        else toast({ variant: 'destructive', title: 'The password could not be changed', description: message })
      }}
      failedTitle="The password is not changed yet"
      doing="Choosing a new password"
      label="Save New Password"
      pendingText="Saving..."
      wide
    >
      <HiddenUsername email={email} />
      <NewPasswordFields label="New password" form={form} />
    </AuthForm>
  )
}
