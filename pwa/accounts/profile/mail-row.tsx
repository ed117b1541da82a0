import { useState } from 'react'
import type { User } from '#shared/accounts/account-calls.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { FactRow } from './fact-row.tsx'
import { useMailPreference } from './profile-answers.ts'

const term = 'Email me about new applications'

/**
 * Whether the person is mailed when somebody applies.
 * @param isAlerted whether a device of theirs has alerts, which take the place of such mails; null while nobody knows
 */
export function MailRow({ user, isAlerted }: { user: User; isAlerted: boolean | null }) {
  const { answer: isOn, failure, ask, take } = useMailPreference()
  const [busy, setBusy] = useState(false)

  const change = async (newApplications: boolean) => {
    setBusy(true)
    try {
      take((await call('setMailPreferences', { body: { newApplications } })).newApplications)
      toast({ title: newApplications ? 'Emails are on' : 'Emails are off' })
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error)
      toast({ variant: 'destructive', title: 'Your choice was not saved', description })
    } finally {
      setBusy(false)
    }
  }

  if (isOn === null && failure !== null) {
    return (
      <FactRow
        term={term}
        action={
          <Button variant="secondary" onClick={() => void ask()}>
            Load Again
          </Button>
        }
      >
        {failure.kind === 'unreachable' ? 'This needs a connection.' : 'This could not be loaded.'}
      </FactRow>
    )
  }
  // The place of the usual answer is held until it is there, so that nothing below moves.
  const place = isOn === null ? 'invisible' : undefined
  return (
    <FactRow
      term={term}
      action={
        <span className={place}>
          <Button
            variant="secondary"
            pending={busy}
            pendingText="Saving..."
            onClick={() => void change(!isOn)}
            disabled={isOn === null}
          >
            {isOn === false ? 'Turn On Emails' : 'Turn Off Emails'}
          </Button>
        </span>
      }
    >
      <div className={place}>
        {isOn === false ? 'Off.' : 'On: one email gathers who applied within ten minutes.'}
        {isOn !== false && <p className="text-sm text-muted">{whenSilent(user, isAlerted)}</p>}
      </div>
    </FactRow>
  )
}

function whenSilent({ email, emailVerified }: User, isAlerted: boolean | null): string {
  if (!emailVerified) return 'None is sent before you have confirmed your email.'
  return isAlerted
    ? 'None is sent while a device of yours has alerts.'
    : `To ${email}, as no device of yours has alerts.`
}
