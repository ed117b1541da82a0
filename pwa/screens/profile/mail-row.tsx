import { useState } from 'react'
import type { User } from '#shared/api/accounts.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { FactRow } from './fact-row.tsx'
import { useMailPreference } from './use-mail-preference.ts'

/**
 * Whether the person is mailed when somebody applies.
 * @param isAlerted whether a device of theirs has alerts, which take the place of such mails; null while nobody knows
 */
export function MailRow({ user, isAlerted }: { user: User; isAlerted: boolean | null }) {
  const { isOn, failure, reload, keep } = useMailPreference()
  const [busy, setBusy] = useState(false)

  const change = async (newApplications: boolean) => {
    setBusy(true)
    try {
      keep((await call('setMailPreferences', { body: { newApplications } })).newApplications)
      toast({ title: newApplications ? 'Emails are on' : 'Emails are off' })
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error)
      toast({ variant: 'destructive', title: 'Your choice was not saved', description })
    } finally {
      setBusy(false)
    }
  }

  const action =
    isOn === null ? (
      failure && (
        <Button variant="secondary" onClick={() => void reload()}>
          Load Again
        </Button>
      )
    ) : (
      <Button variant="secondary" pending={busy} pendingText="Saving..." onClick={() => void change(!isOn)}>
        {isOn ? 'Turn Off Emails' : 'Turn On Emails'}
      </Button>
    )
  return (
    <FactRow term="Email me about new applications" action={action}>
      {isOn === null
        ? { unreachable: 'This needs a connection.', failed: 'This could not be loaded.', none: '…' }[failure ?? 'none']
        : isOn
          ? 'On: one email gathers who applied within ten minutes.'
          : 'Off.'}
      {isOn && <p className="text-sm text-muted">{whenSilent(user, isAlerted)}</p>}
    </FactRow>
  )
}

function whenSilent({ email, emailVerified }: User, isAlerted: boolean | null): string {
  if (!emailVerified) return 'None is sent before you have confirmed your email.'
  return isAlerted
    ? 'None is sent while a device of yours has alerts.'
    : `To ${email}, as no device of yours has alerts.`
}
