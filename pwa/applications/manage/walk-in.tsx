import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { nameParts } from '#shared/applications/walk-in.ts'
import { newId } from '#shared/record/new-id.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { emailAddressOrNull } from '#shared/text/email-address.ts'
import { isVisible } from '#shared/text/plain-text.ts'
import { useSession } from '../../device/session/session.ts'
import { outbox, serverNow, mutations } from '../../sync/index.ts'
import { Button, ButtonRow } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { didNotWork } from '../../ui/forms/failure-toast.ts'
import { useAction } from '../../ui/forms/use-action.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { arrivalsOf } from './arrivals.ts'

/** Takes a person in who has not applied, from the evening before until the event's end. */
export function WalkInButton({ event, now }: { event: EventDocument; now: Date }) {
  const [open, setOpen] = useState(false)
  const arrivals = arrivalsOf(event, now)
  if (!arrivals.offered || arrivals.isOver || event.takenDown) return null
  return (
    <>
      <Button variant="secondary" icon={<UserPlus className="size-4" />} onClick={() => setOpen(true)}>
        Walk-in
      </Button>
      {open && <WalkInDialog event={event} onClose={() => setOpen(false)} />}
    </>
  )
}

interface Typed {
  readonly name: string
  readonly company: string
  readonly email: string
}

const isNamed = (name: string) => isVisible(name) || 'Please enter a name'

function isAddress(email: string): true | string {
  const checked = emailAddressOrNull.safeParse(email)
  return checked.success || (checked.error.issues[0]?.message ?? 'Please enter a valid email address')
}

function WalkInDialog({ event, onClose }: { event: EventDocument; onClose: () => void }) {
  const userId = useSession().user?.id ?? null
  const [saving, run] = useAction('Not saved')
  const { register, handleSubmit, formState } = useForm<Typed>({ defaultValues: { name: '', company: '', email: '' } })
  const errors = (name: keyof Typed) => formState.errors[name]?.message

  const add = async ({ name, company, email }: Typed) => {
    const person = { ...nameParts(name), company: company.trim() || null, email: email.trim() }
    const args = { id: newId(), eventId: event.id, ...person, seenAt: serverNow().toISOString() }
    const { seq } = await outbox.enqueue(mutations.addWalkIn, args, { userId })
    onClose()
    const undo = async () => {
      if ((await outbox.undo(seq)) === 'too-late')
        toast({ title: 'Too late to undo', description: `${name.trim()} is on the list. You can revoke the approval.` })
    }
    toast({
      title: `${name.trim()} is here`,
      description: 'Approved, and marked as here.',
      action: { label: 'Undo', onClick: () => void undo().catch(didNotWork) },
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title="Add a walk-in"
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button form="walk-in" type="submit" pending={saving} pendingText="Saving...">
            Add
          </Button>
        </ButtonRow>
      }
    >
      <form
        id="walk-in"
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(submitted) => void handleSubmit((typed) => run(() => add(typed)))(submitted)}
      >
        <TextField
          label="Name"
          autoComplete="off"
          data-autofocus
          maxLength={160}
          error={errors('name')}
          {...register('name', { validate: isNamed })}
        />
        <TextField label="Company" optional autoComplete="off" maxLength={120} {...register('company')} />
        <TextField
          label="Email"
          optional
          type="email"
          autoComplete="off"
          hint="With an address they get an email with their own page."
          error={errors('email')}
          {...register('email', { validate: isAddress })}
        />
      </form>
    </Dialog>
  )
}
