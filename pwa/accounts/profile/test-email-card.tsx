import { Send } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { call, Unreachable } from '../../api/call.ts'
import { useObservable } from '../../api/observable.ts'
import { reachability } from '../../api/reachability.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'

const missing = 'Please enter an email address to send the test email to.'
const failedTitle = 'Failed to send test email'

/** Sends the approval mail with sample values to an address, to see what a Beacon gets. */
export function TestEmailCard() {
  const unreachable = useObservable(reachability) === 'unreachable'
  const [email, setEmail] = useState('')
  const [sending, setSending] = useState(false)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (email.trim() === '') {
      toast({ variant: 'destructive', title: 'Email required', description: missing })
      return
    }
    setSending(true)
    try {
      const { message } = await call('sendTestEmail', { body: { email } })
      toast({ title: 'Test email sent', description: message })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const description = error instanceof Unreachable ? `${reason} What you typed stays here.` : reason
      toast({
        variant: 'destructive',
        title: failedTitle,
        description:
          description === failedTitle ? 'The mail server did not take it. Please try again later.' : description,
      })
    } finally {
      setSending(false)
    }
  }

  return (
    <Card as="section" aria-labelledby="test-email">
      <CardTitle id="test-email">Test email</CardTitle>
      <p className="mb-4 text-muted">See what a Beacon gets when you approve them, filled with sample values.</p>
      <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <TextField
          label="Email address"
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          hint={unreachable ? 'Sending needs a connection. What you type stays here meanwhile.' : undefined}
        />
        <div>
          <Button
            type="submit"
            variant="secondary"
            icon={<Send aria-hidden="true" className="size-5" />}
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
