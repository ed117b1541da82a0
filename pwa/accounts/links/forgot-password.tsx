import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { forgottenPasswordBody } from '#shared/accounts/account-link-calls.ts'
import { call } from '../../sync/index.ts'
import { AuthForm, EmailField } from '../forms/auth-form.tsx'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Page } from '../../ui/page.tsx'
import { usePageTitle } from '../../ui/page/page-title.ts'
import { toast } from '../../ui/toast.ts'

interface Sent {
  readonly email: string
  readonly said: string
}

/** Never says whether an account has the address. */
export function ForgotPassword({ email, onEmail }: { email: string; onEmail: (email: string) => void }) {
  usePageTitle('Forgot password')
  const [sent, setSent] = useState<Sent | null>(null)
  return (
    <Page
      width="narrow"
      back={{ to: paths.auth, label: 'Sign In' }}
      title={sent ? 'Check your email' : 'Forgot your password?'}
      lead={sent ? undefined : 'We send you a link to choose a new one.'}
    >
      <Card className="shadow-lift">
        {sent ? (
          <SentCard {...sent} onAgain={() => setSent(null)} />
        ) : (
          <ForgotPasswordForm
            email={email}
            onSent={(to, said) => {
              onEmail(to)
              setSent({ email: to, said })
              announce(said)
            }}
          />
        )}
      </Card>
    </Page>
  )
}

function SentCard({ email, said, onAgain }: Sent & { onAgain: () => void }) {
  return (
    <div className="flex gap-4">
      <MailCheck className="mt-0.5 size-7 shrink-0 text-signal" />
      <div className="min-w-0">
        <CardTitle>
          <span className="break-all">{email}</span>
        </CardTitle>
        <p>{said}</p>
        <p className="mt-3 text-muted">
          The link works once, within one hour. Nothing there? Check your spam folder, or try the address you signed up
          with.
        </p>
        <Button variant="secondary" className="mt-5" onClick={onAgain}>
          Send Another Link
        </Button>
      </div>
    </div>
  )
}

function ForgotPasswordForm({ email, onSent }: { email: string; onSent: (email: string, said: string) => void }) {
  const form = useZodForm(forgottenPasswordBody, { email })
  return (
    <AuthForm
      form={form}
      send={async (body) => ({ email: body.email, ...(await call('requestPasswordReset', { body })) })}
      onDone={({ email: sentTo, message }) => onSent(sentTo, message)}
      onRefused={(message) => toast({ variant: 'destructive', title: 'No link was sent', description: message })}
      failedTitle="No link was sent yet"
      doing="Asking for a link"
      label="Send Link"
      pendingText="Sending..."
      wide
    >
      <EmailField {...fieldOf(form, 'email')} />
    </AuthForm>
  )
}
