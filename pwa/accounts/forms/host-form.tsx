import { useEffect, useRef } from 'react'
import type { User } from '#shared/accounts/account-calls.ts'
import { profileBody } from '#shared/accounts/account-calls.ts'
import { call } from '../../sync/index.ts'
import { refreshUser } from '../../device/session/session.ts'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthForm, HiddenUsername, PasswordField, toastRefusal } from './auth-form.tsx'

/** Another contact address needs the password, and takes effect when the link sent there is opened. */
export function HostForm({ user }: { user: User }) {
  const saved = { organizationName: user.organizationName ?? '', contactEmail: user.contactEmail ?? '' }
  const form = useZodForm(profileBody, { ...saved, password: '' })
  const isOtherContact = form.watch('contactEmail') !== saved.contactEmail
  const before = useRef(saved)
  // A change that another device saved is shown in fields that are not being typed in.
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
        form.setValue('password', '')
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
      {isOtherContact && <HiddenUsername email={user.email} />}
      {isOtherContact && <PasswordField hint="To change the contact email" {...fieldOf(form, 'password')} />}
    </AuthForm>
  )
}
