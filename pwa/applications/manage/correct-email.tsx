import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { emailAddress } from '#shared/text/email-address.ts'
import { useSession } from '../../device/session/session.ts'
import { type ApplicationRow, enqueueShown, foldedView, mutations } from '../../sync/index.ts'
import { Button, ButtonRow } from '../../ui/button.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { announce } from '../../ui/live-region.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fullName } from './shown-applicant.ts'

interface Typed {
  readonly email: string
}

/** Corrects an address that was mistyped, so that mails came back. */
export function CorrectEmail({ row }: { row: ApplicationRow }) {
  const [open, setOpen] = useState(false)
  const name = fullName(row.application)
  const hasAddress = row.application.email !== ''
  if (open) return <EmailForm row={row} onClose={() => setOpen(false)} />
  return (
    <Button
      variant="secondary"
      size="small"
      className="mt-2"
      aria-label={`${hasAddress ? 'Correct' : 'Add'} the email address of ${name}`}
      onClick={() => setOpen(true)}
    >
      {hasAddress ? 'Correct email' : 'Add email'}
    </Button>
  )
}

function EmailForm({ row, onClose }: { row: ApplicationRow; onClose: () => void }) {
  const { id: applicationId, eventId, email: present } = row.application
  const userId = useSession().user?.id ?? null
  const formId = useId()
  const [saving, run] = useAction('Not saved')
  const { register, handleSubmit, formState } = useForm<Typed>({ defaultValues: { email: present } })

  const save = async ({ email: typed }: Typed) => {
    const email = emailAddress.parse(typed)
    if (email !== present) {
      const args = { applicationId, eventId, name: fullName(row.application), email }
      await enqueueShown(mutations.correctEmail, args, { userId })
      announce('Email address saved on this device.')
    }
    onClose()
  }
  return (
    <form
      id={formId}
      noValidate
      className="mt-2 flex flex-col gap-2 rounded-box bg-quiet-soft p-4"
      onSubmit={(submitted) => void handleSubmit((typed) => run(() => save(typed)))(submitted)}
    >
      <TextField
        label="Email address"
        type="email"
        autoComplete="off"
        hint="The last email about the application goes to the new address. Their private link stays the same."
        error={formState.errors.email?.message}
        {...register('email', { validate: (typed) => problemOf(typed, row) ?? true })}
      />
      <ButtonRow>
        <Button variant="secondary" size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="small" pending={saving} pendingText="Saving...">
          Save
        </Button>
      </ButtonRow>
    </form>
  )
}

/** An event has one application from each address. */
function problemOf(typed: string, { application }: ApplicationRow): string | undefined {
  const { success, data, error } = emailAddress.safeParse(typed)
  if (!success) return error.issues[0]?.message ?? 'Please enter a valid email address'
  const other = foldedView
    .get()
    .applicationsOf(application.eventId)
    .find(
      ({ application: one }) => one.id !== application.id && one.email.toLowerCase() === data.toLowerCase(),
    )?.application
  return other && `${fullName(other)} has applied for this event with this address.`
}
