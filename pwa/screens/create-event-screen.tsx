import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { User } from '#shared/api/accounts.ts'
import type { EventFields } from '#shared/domain/event.ts'
import { mainZoneOf } from '#shared/domain/event-time.ts'
import { useObservable } from '../api/observable.ts'
import { reachability } from '../api/reachability.ts'
import { saveFailureText } from '../device/save-failure.ts'
import { DraftKept, DraftNotice } from '../forms/draft-notice.tsx'
import { useEventDraft } from '../forms/event-draft.ts'
import { emptyEventForm, eventFormValues } from '../forms/event-form-values.ts'
import { EventForm } from '../forms/event-form.tsx'
import { createEvent } from '../outbox/mutations/create-event.ts'
import type { CreateEvent } from '../outbox/mutations/create-event.ts'
import { updateEvent } from '../outbox/mutations/update-event.ts'
import type { UpdateEvent } from '../outbox/mutations/update-event.ts'
import { outbox } from '../outbox/outbox.ts'
import { paths } from '../paths.ts'
import { useAccount } from '../replica/use-account.ts'
import { takeEventId } from '../session/event-ids.ts'
import { useSession } from '../session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { ChoosePlan } from './choose-plan.tsx'
import { resendParked, useParkedEntry } from './parked-entry.ts'
import type { ParkedEntry } from './parked-entry.ts'
import { usePageTitle } from './page-title.ts'

const defaultReason = 'You need a subscription to create events. Please choose a subscription plan to continue.'

/** A new event: the plan allows it, the form is filled in, and it has its final address at once, network or not. */
export function CreateEventScreen() {
  usePageTitle('Create Event')
  const { user } = useSession()
  const account = useAccount()
  const unreachable = useObservable(reachability) === 'unreachable'
  const [search] = useSearchParams()
  const refused = useParkedEntry<CreateEvent>(search.get('resend'), createEvent)
  const copied = useParkedEntry<UpdateEvent>(search.get('copy'), updateEvent)
  if (!user) return null

  const key = refused?.entry.seq ?? copied?.entry.seq ?? 'new'
  let content = <CreateEventForm key={key} user={user} refused={refused} copied={copied} />
  if (account.status === 'loading' && !unreachable) content = <Skeleton shape="detail" label="Checking your plan" />
  else if (account.canCreateEvent?.canCreate === false && !refused) {
    content = (
      <div className="flex flex-col gap-5">
        <Alert variant="destructive" title="Subscription Required">
          {account.canCreateEvent.reason ?? defaultReason}
        </Alert>
        <ChoosePlan label="Choose a plan" />
      </div>
    )
  }
  return (
    <Page title="Create Event" width="text" back={{ to: paths.dashboard, label: 'Dashboard' }}>
      {content}
    </Page>
  )
}

interface CreateEventFormProps {
  user: User
  /** A creation the server refused, to be corrected and sent again. */
  refused: ParkedEntry<CreateEvent> | null
  /** An edit of an event that was deleted meanwhile, to become a new event. */
  copied: ParkedEntry<UpdateEvent> | null
}

function CreateEventForm({ user, refused, copied }: CreateEventFormProps) {
  const navigate = useNavigate()
  const origin = refused ?? copied
  const draft = useEventDraft(user.id, origin ? `new/from/${origin.entry.seq}` : 'new')
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function submit(fields: EventFields) {
    setPending(true)
    setProblem(null)
    try {
      const id = refused ? await resend(refused, fields) : await create(user, fields)
      if (copied) await outbox.discard(copied.entry.seq)
      await draft.clear()
      toast({ title: 'Event Created', description: 'Set up beacon customization next!' })
      void navigate(paths.customizeEvent(id))
    } catch (error) {
      const message = saveFailureText(error)
      setProblem(message)
      toast({ title: 'Creation Failed', description: `Error: ${message}`, variant: 'destructive' })
      setPending(false)
    }
  }

  if (draft.status === 'loading') return <Skeleton shape="detail" />
  return (
    <>
      {problem && (
        <div className="mb-4">
          <Alert variant="destructive" title="Not created yet">
            {problem}
          </Alert>
        </div>
      )}
      <DraftNotice writtenAt={draft.restored && draft.foundAt} onStartOver={draft.startOver} />
      <EventForm
        key={draft.turn}
        initial={draft.restored?.values ?? (origin ? eventFormValues(origin.args.fields) : emptyEventForm)}
        submitLabel="Create Event"
        pending={pending}
        refusal={refused?.problem}
        onValues={(values) => draft.save({ values, edition: 0 })}
        onSubmit={(fields) => void submit(fields)}
        aside={<DraftKept kept={draft.kept} />}
      />
    </>
  )
}

async function create(user: User, fields: EventFields): Promise<number> {
  const id = await takeEventId(user.id)
  const args = {
    id,
    organizerId: user.id,
    fields,
    timeZone: mainZoneOf(fields.state),
    createdAt: new Date().toISOString(),
  }
  await outbox.enqueue(createEvent, args, { userId: user.id })
  return id
}

async function resend({ entry, args }: ParkedEntry<CreateEvent>, fields: EventFields): Promise<number> {
  await resendParked(entry, createEvent, { ...args, fields, timeZone: mainZoneOf(fields.state) })
  return args.id
}
