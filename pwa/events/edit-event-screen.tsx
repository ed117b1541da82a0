import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import type { EventFields } from '#shared/events/event.ts'
import { saveFailureText } from '../device/save-failure.ts'
import { DraftKept, DraftNotice } from '../forms/draft-notice.tsx'
import { useEventDraft } from './form/event-draft.ts'
import { eventFormValues } from './form/event-form-values.ts'
import { EventForm } from './form/event-form.tsx'
import { updateEvent } from '../outbox/mutations/update-event.ts'
import type { UpdateEvent } from '../outbox/mutations/update-event.ts'
import { outbox } from '../outbox/outbox.ts'
import { idFrom, paths } from '../paths.ts'
import { useOrganizerEvent } from '../replica/view/use-events.ts'
import { useSession } from '../session/session.ts'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { MissingEvent } from '../page/missing-event.tsx'
import { resendParked, useParkedEntry } from '../session/parked-entry.ts'
import type { ParkedEntry } from '../session/parked-entry.ts'
import { usePageTitle } from '../page/page-title.ts'

/** Edit Event: the form filled with the event as it stands on this phone. */
export function EditEventScreen() {
  usePageTitle('Edit Event')
  const id = idFrom(useParams()['id'])
  if (id === null) {
    return (
      <MissingEvent id={id} title="Invalid Event ID">
        An event’s address ends in a number. Please open the event from your dashboard.
      </MissingEvent>
    )
  }
  return <EditEvent key={id} id={id} />
}

function EditEvent({ id }: { id: number }) {
  const { user } = useSession()
  const { status, row } = useOrganizerEvent(id)
  const [search] = useSearchParams()
  const refused = useParkedEntry<UpdateEvent>(search.get('resend'), updateEvent)
  if (status === 'missing' || !user) {
    return (
      <MissingEvent id={id} title="Event Not Found">
        The event you're trying to edit doesn't exist or you don't have permission to edit it.
      </MissingEvent>
    )
  }
  return (
    <Page
      title="Edit Event"
      lead={row?.event.name}
      width="text"
      back={{ to: paths.manageEvent(id), label: 'Manage Event' }}
    >
      {row ? (
        <EditEventForm key={refused?.entry.seq ?? 'event'} userId={user.id} event={row.event} refused={refused} />
      ) : (
        <Skeleton shape="detail" label="Loading the event" />
      )}
    </Page>
  )
}

/** The edition a corrected change is made on: what the server showed with its refusal has been seen now. */
function editionSeen(refused: ParkedEntry<UpdateEvent>): number {
  const current = refused.problem.current
  const isConflict = refused.problem.code === 'conflict' && typeof current === 'object' && current !== null
  return (isConflict && updateEvent.expected?.current(current)) || refused.args.expectedEdition
}

function EditEventForm({
  userId,
  event,
  refused,
}: {
  userId: number
  event: EventDocument
  refused: ParkedEntry<UpdateEvent> | null
}) {
  const navigate = useNavigate()
  const draft = useEventDraft(userId, refused ? `${event.id}/resend/${refused.entry.seq}` : String(event.id))
  // What the person saw when the form opened: an edit that arrives meanwhile must not be overwritten unseen.
  const [opened] = useState(() => ({
    values: eventFormValues(refused?.args.fields ?? event),
    edition: refused ? editionSeen(refused) : event.edition,
  }))
  const [pending, setPending] = useState(false)
  const begun = draft.restored ?? opened

  async function submit(fields: EventFields) {
    setPending(true)
    try {
      const args: UpdateEvent = { id: event.id, fields, expectedEdition: begun.edition }
      if (refused) await resendParked(refused.entry, updateEvent, args)
      else await outbox.enqueue(updateEvent, args, { userId })
      await draft.clear()
      toast({ title: 'Event Updated' })
      void navigate(paths.dashboard)
    } catch (error) {
      toast({
        title: 'Update Failed',
        description: `Error: ${saveFailureText(error)}`,
        variant: 'destructive',
      })
      setPending(false)
    }
  }

  if (draft.status === 'loading') return <Skeleton shape="detail" label="Loading the event" />
  return (
    <>
      <DraftNotice writtenAt={draft.restored && draft.foundAt} onStartOver={draft.startOver} />
      <EventForm
        key={draft.turn}
        initial={begun.values}
        saved={event}
        submitLabel="Save Changes"
        pending={pending}
        refusal={refused?.problem}
        onValues={(values) => draft.save({ values, edition: begun.edition })}
        onSubmit={(fields) => void submit(fields)}
        aside={<DraftKept kept={draft.kept} />}
      />
    </>
  )
}
