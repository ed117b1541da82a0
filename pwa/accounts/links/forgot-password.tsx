import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { ForgotPasswordForm } from '../forms/forgot-password-form.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Page } from '../../ui/page.tsx'
import { usePageTitle } from '../../page/page-title.ts'

interface Sent {
  readonly email: string
  readonly said: string
}

/** "Forgot password?": an address, and then where to look. It tells nobody whether an account has the address. */
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
      <MailCheck aria-hidden="true" className="mt-0.5 size-7 shrink-0 text-signal" />
      <div className="min-w-0">
        <CardTitle>
          <span className="break-all">{email}</span>
        </CardTitle>
        <p>{said}</p>
        <p className="mt-3 text-muted">
          The link works once, within one hour. Nothing there? Look among the spam, or try the address you signed up
          with.
        </p>
        <Button variant="secondary" className="mt-5" onClick={onAgain}>
          Send Another Link
        </Button>
      </div>
    </div>
  )
}
