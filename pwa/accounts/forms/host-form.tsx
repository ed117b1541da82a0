import { useEffect, useRef } from 'react'
import type { User } from '#shared/accounts/account-calls.ts'
import { profileBody } from '#shared/accounts/account-calls.ts'
import { call } from '../../sync/index.ts'
import { refreshUser } from '../../device/session/session.ts'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthForm, toastRefusal } from './auth-form.tsx'

/** The contact address takes effect when the link sent there is opened. */
export function HostForm({ user }: { user: User }) {
  const saved = { organizationName: user.organizationName ?? '', contactEmail: user.contactEmail ?? '' }
  const form = useZodForm(profileBody, saved)
  const before = useRef(saved)
  // What another device saves shows where nothing is being typed.
  useEffect(() => {
    for (const name of ['organizationName', 'contactEmail'] as const) {
      const [was, is] = [before.current[name], saved[name]]
      if (was !== is && form.getValues(name) === was) form.setValue(name, is)
    }
    before.current = saved
  })
  return (
    <AuthForm
      form={form}
      send={(body) => call('setProfile', { body })}
      onDone={({ message }) => {
        toast({ title: 'Saved', description: message })
        void refreshUser().catch(() => undefined)
      }}
      onRefused={toastRefusal('Not saved')}
      failedTitle="Nothing was changed yet"
      doing="Changing this"
      label="Save"
      pendingText="Saving..."
      variant="secondary"
    >
      <TextField
        label="Organization"
        autoComplete="organization"
        hint="Without one, your username is shown."
        {...fieldOf(form, 'organizationName')}
      />
      <TextField
        label="Contact email"
        type="email"
        inputMode="email"
        autoComplete="email"
        hint="Everyone can see it, once you have opened the link we send there."
        {...fieldOf(form, 'contactEmail')}
      />
    </AuthForm>
  )
}
