import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import type { EventFields } from '#shared/events/event.ts'
import { DraftKept, DraftNotice } from '../ui/forms/draft-notice.tsx'
import { toastFailure } from '../ui/forms/failure-toast.ts'
import { useEventDraft } from './form/event-drafts.ts'
import { eventFormValues } from './form/event-form-values.ts'
import { EventForm } from './form/event-form.tsx'
import { OrganizerEventPage } from './organizer-event-page.tsx'
import { updateEvent, type UpdateEvent, outbox } from '../sync/index.ts'
import { idFrom, paths } from '../paths.ts'
import { Skeleton } from '../ui/loading.tsx'
import { toast } from '../ui/toast.ts'
import { basisSeen, resendParked, useParkedEntry, type ParkedEntry } from '../device/session/queued-entry.ts'

export function EditEventScreen() {
  const id = idFrom(useParams()['id'])
  const [search] = useSearchParams()
  const refused = useParkedEntry<UpdateEvent>(search.get('resend'), updateEvent)
  return (
    <OrganizerEventPage
      id={id}
      tabTitle="Edit Event"
      missing={id === null ? noNumber : notEditable}
      page={(row) => ({ title: 'Edit Event', lead: row?.event.name, width: 'text' })}
    >
      {({ event }, user) => (
        <EditEventForm
          key={`${event.id} ${refused?.entry.seq ?? ''}`}
          userId={user.id}
          event={event}
          refused={refused}
        />
      )}
    </OrganizerEventPage>
  )
}

const noNumber = {
  title: 'Invalid Event ID',
  text: 'An event’s address ends in a number. Please open the event from your dashboard.',
}
const notEditable = {
  title: 'Event Not Found',
  text: "The event you're trying to edit doesn't exist or you don't have permission to edit it.",
}

function EditEventForm(props: { userId: number; event: EventDocument; refused: ParkedEntry<UpdateEvent> | null }) {
  const { userId, event, refused } = props
  const navigate = useNavigate()
  const draft = useEventDraft(userId, refused ? `${event.id}/resend/${refused.entry.seq}` : String(event.id))
  // Fixed when the form opens: a later edit must not be overwritten unseen.
  const [opened] = useState(() => ({
    values: eventFormValues(refused?.args.fields ?? event),
    // The refusal showed the server's state.
    basis: refused ? basisSeen(refused) : event.basis,
  }))
  const [pending, setPending] = useState(false)
  const begun = draft.restored ?? opened

  async function submit(fields: EventFields) {
    setPending(true)
    try {
      const args: UpdateEvent = { id: event.id, fields, basis: begun.basis }
      if (refused) await resendParked(refused.entry, updateEvent, args)
      else await outbox.enqueue(updateEvent, args, { userId })
      await draft.clear()
      toast({ title: 'Event Updated' })
      void navigate(paths.dashboard)
    } catch (error) {
      toastFailure('Update Failed', error, 'Error: ')
      setPending(false)
    }
  }

  if (draft.status === 'loading') return <Skeleton shape="detail" label="Loading the event" />
  return (
    <>
      <DraftNotice draft={draft} />
      <EventForm
        key={draft.turn}
        initial={begun.values}
        saved={event}
        submitLabel="Save Changes"
        pending={pending}
        refusal={refused?.problem}
        onValues={(values) => draft.save({ values, basis: begun.basis })}
        onSubmit={submit}
        aside={<DraftKept kept={draft.kept} />}
      />
    </>
  )
}
