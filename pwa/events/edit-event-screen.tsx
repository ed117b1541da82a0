import { ForManagers } from '../team/for-managers.tsx'
import { may } from '../device/session/acting.ts'
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
import { queueMessage } from '../applications/messages/use-messages.ts'
import { newsForBeacons, TellBeacons, type NewsForBeacons } from './form/tell-beacons.tsx'
import { foldedView, outbox, serverNow, mutations, useParkedEntry } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { idFrom, paths } from '../paths.ts'
import { Skeleton } from '../ui/loading.tsx'
import { toast } from '../ui/toast.ts'

export function EditEventScreen() {
  const id = idFrom(useParams()['id'])
  const [search] = useSearchParams()
  const refused = useParkedEntry<mutations.UpdateEvent>(search.get('resend'), mutations.updateEvent)
  if (!may('manager')) return <ForManagers />
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

function EditEventForm(props: {
  userId: number
  event: EventDocument
  refused: ReturnType<typeof useParkedEntry<mutations.UpdateEvent>>
}) {
  const { userId, event, refused } = props
  const navigate = useNavigate()
  const draft = useEventDraft(userId, refused ? `${event.id}/resend/${refused.entry.seq}` : String(event.id))
  // Fixed when the form opens: a later edit must not be overwritten unseen.
  const [opened] = useState(() => ({
    values: eventFormValues(refused?.args.fields ?? event),
    // The person saw the server's state in the refusal.
    basis: refused ? refused.basisSeen : event.basis,
  }))
  const [pending, setPending] = useState(false)
  const [telling, setTelling] = useState<{ fields: EventFields; news: NewsForBeacons } | null>(null)
  const begun = draft.restored ?? opened
  const { applicationsOf } = useObservable(foldedView)
  const beacons = applicationsOf(event.id).filter(({ application }) => application.status === 'approved')

  function submit(fields: EventFields) {
    const news = beacons.length > 0 ? newsForBeacons(event, fields, serverNow()) : null
    if (!news) return save(fields, null, null)
    setTelling({ fields, news })
  }
  async function save(fields: EventFields, news: NewsForBeacons | null, line: string | null) {
    setPending(true)
    try {
      const inMail = news?.change !== undefined && line !== null
      const args: mutations.UpdateEvent = { id: event.id, fields, basis: begun.basis, ...(inMail && { note: line }) }
      if (refused) await refused.resend(args)
      else await outbox.enqueue(mutations.updateEvent, args, { userId })
      if (line !== null && !inMail) {
        const message = { eventId: event.id, eventName: fields.name, audience: 'approved' as const, text: line }
        await queueMessage({ ...message, applicationIds: beacons.map(({ application }) => application.id) }, userId)
      }
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
      {telling && (
        <TellBeacons
          news={telling.news}
          beacons={beacons.length}
          pending={pending}
          onSave={(line) => void save(telling.fields, telling.news, line)}
          onClose={() => setTelling(null)}
        />
      )}
    </>
  )
}
