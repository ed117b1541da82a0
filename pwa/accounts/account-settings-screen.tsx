import { Download } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router-dom'
import * as z from 'zod'
import { currentPasswordBody, nameBody, passwordChangeBody } from '#shared/accounts/account-calls.ts'
import { deletionGraceDays } from '#shared/accounts/deletion-grace.ts'
import { call, useAccount } from '../sync/index.ts'
import { refreshUser, useSession } from '../device/session/session.ts'
import { Card } from '../ui/card.tsx'
import { fieldOf, useZodForm } from '../ui/forms/use-zod-form.ts'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { formatLongDay } from '../ui/page/local-time.ts'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { saveFile } from '../ui/page/save-file.ts'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { paths } from '../paths.ts'
import { AccountEnding } from './account-ending.tsx'
import {
  AuthForm,
  HiddenUsername,
  NewPasswordFields,
  PasswordField,
  passwordsMatch,
  toastRefusal,
} from './forms/auth-form.tsx'

export function AccountSettingsScreen() {
  const { user } = useSession()
  const shown = useAccount()?.user ?? user
  return (
    <TitledPage width="text" title="Account settings" lead={shown && <span className="break-all">{shown.email}</span>}>
      <LoginRequired>Please log in to change your account.</LoginRequired>
      {shown && (
        <div className="flex flex-col gap-6">
          {shown.deletesAt && (
            <Card title="Keep my account">
              <div className="flex flex-col gap-5">
                <AccountEnding user={shown} />
                <KeepAccountForm email={shown.email} />
              </div>
            </Card>
          )}
          <Card title="Change username">
            <p className="mb-4 text-muted">
              Guests see it as the host of your events, unless your{' '}
              <Link to={paths.profile} className="underline underline-offset-4">
                profile
              </Link>{' '}
              names an organization.
            </p>
            <ChangeNameForm key={shown.username} username={shown.username} />
          </Card>
          <Card title="Change password">
            <p className="mb-4 text-muted">Every other device is signed out, and an email tells you.</p>
            <ChangePasswordForm email={shown.email} />
          </Card>
          <Card title="Download my data">
            <p className="mb-4 text-muted">
              What we keep about you and your events, as one file. What applicants wrote is theirs and not in it.
            </p>
            <DownloadDataForm email={shown.email} />
          </Card>
          {!shown.deletesAt && (
            <Card title="Delete my account">
              <p className="mb-4 text-muted">
                Your account, your events with their applications and everything you wrote are deleted in{' '}
                {deletionGraceDays} days. Until then everything works as before, and you can change your mind. On that
                day the applicants of coming events get an email that they are cancelled.
              </p>
              <DeleteAccountForm email={shown.email} />
            </Card>
          )}
        </div>
      )}
    </TitledPage>
  )
}

function ChangeNameForm({ username }: { username: string }) {
  const form = useZodForm(nameBody, { username })
  return (
    <AuthForm
      form={form}
      send={(body) => call('setProfile', { body })}
      onDone={() => {
        toast({ title: 'Username changed', description: 'You sign in with your email, as before.' })
        void refreshUser().catch(() => undefined)
      }}
      onRefused={toastRefusal('The username could not be changed')}
      failedTitle="Nothing was changed yet"
      doing="Changing your username"
      label="Save Username"
      pendingText="Saving..."
      variant="secondary"
    >
      <TextField label="Username" autoComplete="nickname" autoCapitalize="none" {...fieldOf(form, 'username')} />
    </AuthForm>
  )
}

const passwordChangeValues = z
  .strictObject({ ...passwordChangeBody.shape, confirmPassword: z.string() })
  .refine(...passwordsMatch)

const empty = { currentPassword: '', password: '', confirmPassword: '' }

function ChangePasswordForm({ email }: { email: string }) {
  const form = useZodForm(passwordChangeValues, empty)
  return (
    <AuthForm
      form={form}
      send={({ currentPassword, password }) => call('changePassword', { body: { currentPassword, password } })}
      onDone={() => {
        form.reset(empty)
        toast({ title: 'Password changed', description: 'Every other device is signed out.' })
      }}
      onRefused={toastRefusal('The password could not be changed')}
      failedTitle="No answer came"
      doing="Changing your password"
      label="Save New Password"
      pendingText="Saving..."
    >
      <HiddenUsername email={email} />
      <PasswordField {...fieldOf(form, 'currentPassword')} />
      <NewPasswordFields label="New password" form={form} />
    </AuthForm>
  )
}

type CurrentPasswordFormProps<Done> = Pick<
  ComponentProps<typeof AuthForm<{ password: string }, { password: string }, Done>>,
  'send' | 'onDone' | 'failedTitle' | 'doing' | 'label' | 'pendingText' | 'variant' | 'icon'
> & { readonly email: string; readonly refusedTitle: string }

/** What an open session alone may not do: the password is asked for again, and forgotten afterwards. */
function CurrentPasswordForm<Done>({ email, onDone, refusedTitle, ...rest }: CurrentPasswordFormProps<Done>) {
  const form = useZodForm(currentPasswordBody, { password: '' })
  return (
    <AuthForm
      {...rest}
      form={form}
      onDone={(answer) => {
        form.reset({ password: '' })
        onDone(answer)
      }}
      onRefused={toastRefusal(refusedTitle)}
    >
      <HiddenUsername email={email} />
      <PasswordField {...fieldOf(form, 'password')} />
    </AuthForm>
  )
}

function DownloadDataForm({ email }: { email: string }) {
  return (
    <CurrentPasswordForm
      email={email}
      send={(body) => call('downloadData', { body })}
      onDone={(copy) => {
        const name = `beaconry-data-${copy.exportedAt.slice(0, 10)}.json`
        saveFile(name, JSON.stringify(copy, null, 2), 'application/json')
        toast({ title: 'Your data is downloaded', description: 'The file is in your downloads.' })
      }}
      refusedTitle="Nothing was downloaded"
      failedTitle="Nothing was downloaded"
      doing="Downloading your data"
      label="Download as a File"
      pendingText="Collecting..."
      variant="secondary"
      icon={<Download className="size-5" />}
    />
  )
}

function DeleteAccountForm({ email }: { email: string }) {
  return (
    <CurrentPasswordForm
      email={email}
      send={(body) => call('requestAccountDeletion', { body })}
      onDone={({ deletesAt }) => {
        void refreshUser()
        // The way back is above the other settings.
        window.scrollTo({ top: 0 })
        toast({
          title: `Your account will be deleted on ${formatLongDay(deletesAt)}`,
          description: 'An email says so.',
        })
      }}
      refusedTitle="Nothing will be deleted"
      failedTitle="No answer came"
      doing="Deleting your account"
      label="Delete My Account"
      pendingText="Asking for deletion..."
      variant="danger-quiet"
    />
  )
}

function KeepAccountForm({ email }: { email: string }) {
  return (
    <CurrentPasswordForm
      email={email}
      send={(body) => call('keepAccount', { body })}
      onDone={() => {
        void refreshUser()
        toast({ title: 'Your account stays', description: 'Nothing is deleted. We’ll send you an email to confirm.' })
      }}
      refusedTitle="Your account could not be kept yet"
      failedTitle="No answer came"
      doing="Keeping your account"
      label="Keep My Account"
      pendingText="Keeping..."
    />
  )
}
