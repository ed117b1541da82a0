import { ForManagers } from '../team/for-managers.tsx'
import { actingNow } from '../browser/acting.ts'
import { pickCustomizationFields } from '#shared/events/event-record.ts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { User } from '#shared/accounts/account-calls.ts'
import { newId } from '#shared/record/new-id.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import type { EventFields } from '#shared/events/event.ts'
import { mainZoneOf } from '#shared/places/us-states.ts'
import {
  reachability,
  serverNow,
  outbox,
  useAccount,
  useOrganizerEvent,
  mutations,
  useParkedEntry,
  type Entry,
} from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { hasPlans } from '../device/has-plans.ts'
import { dropDraft } from '../device/kept-drafts.ts'
import { saveFailureText } from '../device/save-failure.ts'
import { DraftKept, DraftNotice } from '../ui/forms/draft-notice.tsx'
import { toastFailure } from '../ui/forms/failure-toast.ts'
import { EventDraftList, useEventsWithoutPlan } from './form/event-draft-list.tsx'
import {
  publishingForm,
  useEventDraft,
  useSavedEventDrafts,
  withoutOlderCopy,
  type SavedEventDraft,
} from './form/event-drafts.ts'
import { emptyEventForm, eventFormValues, type EventFormValues } from './form/event-form-values.ts'
import { EventForm } from './form/event-form.tsx'
import { justPublished } from './published-card.tsx'
import { idFrom, paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { toast } from '../ui/toast.ts'
import { may } from '../device/session/acting.ts'
import { ChoosePlan } from '../billing/choose-plan.tsx'

const plansId = 'plans'
const defaultReason = 'You need a subscription to create events. Please choose a subscription plan to continue.'

export function CreateEventScreen() {
  const { user } = useSession()
  const account = useAccount()
  const unreachable = useObservable(reachability) === 'unreachable'
  const [search] = useSearchParams()
  const refused = useParkedEntry<mutations.CreateEvent>(search.get('resend'), mutations.createEvent)
  const copied = useParkedEntry<mutations.UpdateEvent>(search.get('copy'), mutations.updateEvent)
  const saved = useSavedEventDrafts(user?.id ?? null)
  const withoutPlan = useEventsWithoutPlan()
  const templateRow = useOrganizerEvent(idFrom(search.get('template') ?? undefined) ?? 0)
  if (!may('manager')) return <ForManagers />
  if (!user) return null

  const drafted = saved.drafts.find(({ id }) => id === search.get('draft')) ?? null
  const template = templateRow.row?.event ?? null
  const start = startOf(refused ?? copied, drafted, template)
  // A manager uses the organizer's plan, which this device does not know.
  const needsPlan = hasPlans() && may('owner') && account?.canCreateEvent.canCreate === false && !refused
  let content = (
    <CreateEventForm
      key={start.form}
      user={user}
      start={start}
      refused={refused}
      copied={copied}
      drafted={drafted}
      template={template}
      planReason={needsPlan ? (account?.canCreateEvent.reason ?? defaultReason) : null}
    />
  )
  if (saved.status === 'loading' || (hasPlans() && account === null && !unreachable))
    content = <Skeleton shape="detail" label="Checking your plan" />
  return (
    <TitledPage title="Create Event" width="text" back={{ to: paths.dashboard, label: 'Dashboard' }}>
      {!drafted && !refused && !copied && !template && saved.drafts.length + withoutPlan.length > 0 && (
        <section aria-labelledby="drafts" className="mb-8">
          <h2 id="drafts" className="mb-3 text-xl">
            Your drafts
          </h2>
          <EventDraftList
            drafts={saved.drafts}
            withoutPlan={withoutPlan}
            addressOf={({ id }) => `${paths.createEvent}?draft=${id}`}
          />
        </section>
      )}
      {content}
    </TitledPage>
  )
}

interface CreateEventFormProps {
  user: User
  start: ReturnType<typeof startOf>
  refused: Refused | null
  /** An edit of an event that was deleted since becomes a new one. */
  copied: ReturnType<typeof useParkedEntry<mutations.UpdateEvent>>
  drafted: SavedEventDraft | null
  /** Everything but its days is taken over. */
  template: EventDocument | null
  /** Says why a plan is needed first; null means that none is. */
  planReason: string | null
}

function startOf(
  parked: { readonly entry: Entry; readonly args: { readonly fields: EventFields } } | null,
  drafted: SavedEventDraft | null,
  template: EventDocument | null,
): { form: string; values: EventFormValues } {
  if (parked) return { form: `new/from/${parked.entry.seq}`, values: eventFormValues(parked.args.fields) }
  if (drafted) return { form: publishingForm(drafted), values: drafted.drafted.values }
  if (template) return { form: `new/template/${template.id}`, values: withoutDays(template) }
  return { form: 'new', values: emptyEventForm }
}

function CreateEventForm({ user, start, refused, copied, drafted, template, planReason }: CreateEventFormProps) {
  const navigate = useNavigate()
  const draft = withoutOlderCopy(useEventDraft(user.id, start.form), drafted)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** Goes online with the plan. */
  const [waiting, setWaiting] = useState<EventFields | null>(null)

  function askForPlan(fields: EventFields) {
    setWaiting(fields)
    draft.save({ values: eventFormValues(fields), basis: null })
    toast({ title: 'Your event is kept', description: 'Choose a plan to put it online.' })
    document.getElementById(plansId)?.scrollIntoView()
    document.getElementById(plansId)?.focus({ preventScroll: true })
  }

  async function submit(fields: EventFields) {
    setPending(true)
    setProblem(null)
    try {
      const id = refused ? await resend(refused, fields) : await create(user, fields, template)
      if (copied) await outbox.discard(copied.entry.seq)
      await draft.clear()
      toast({ title: 'Event Created', description: 'Set up beacon customization next!' })
      await navigate(paths.customizeEvent(id), { state: justPublished })
      // The draft is the only copy until the event is queued.
      if (drafted) await dropDraft(drafted.key)
    } catch (error) {
      setProblem(saveFailureText(error))
      toastFailure('Creation Failed', error, 'Error: ')
      setPending(false)
    }
  }

  if (draft.status === 'loading') return <Skeleton shape="detail" />
  return (
    <>
      {planReason !== null && (
        <>
          <Alert className="mb-5" variant="destructive" title="Subscription Required">
            {planReason}
          </Alert>
          <p className="mb-5 text-muted">
            Write your event first: it is kept on this device, and goes online once you have{' '}
            <a href={`#${plansId}`} className="underline underline-offset-4">
              a plan
            </a>
            .
          </p>
        </>
      )}
      {problem && (
        <Alert className="mb-4" variant="destructive" title="Not created yet">
          {problem}
        </Alert>
      )}
      {template && (
        <Alert className="mb-4" title={`Filled in from ${template.name}`}>
          Texts, questions and email come along; choose the new days. Nothing is saved until you create the event.
        </Alert>
      )}
      <DraftNotice draft={draft} />
      <EventForm
        key={draft.turn}
        initial={draft.restored?.values ?? start.values}
        submitLabel="Create Event"
        pending={pending}
        refusal={refused?.problem}
        onValues={(values) => {
          draft.save({ values, basis: null })
          // What is changed has to be read once more before it goes online.
          setWaiting(null)
        }}
        onSubmit={planReason === null ? submit : askForPlan}
        aside={<DraftKept kept={draft.kept} />}
      />
      {planReason !== null && (
        <section id={plansId} tabIndex={-1} aria-label="Plans" className="mt-5 scroll-mt-24">
          <ChoosePlan
            label="Choose a plan"
            publishes={waiting !== null}
            onActive={() => {
              if (waiting) void submit(waiting)
            }}
          />
        </section>
      )}
    </>
  )
}

const withoutDays = (event: EventDocument) =>
  eventFormValues({ ...event, startDate: '', endDate: '', applicationsCloseAt: null, applicationsClosed: false })

async function create(user: User, fields: EventFields, template: EventDocument | null): Promise<number> {
  const id = newId()
  const args = {
    id,
    organizerId: actingNow()?.organizerId ?? user.id,
    fields,
    ...(template ? { customization: pickCustomizationFields(template) } : {}),
    timeZone: mainZoneOf(fields.state),
    createdAt: serverNow().toISOString(),
  }
  await outbox.enqueue(mutations.createEvent, args, { userId: user.id })
  return id
}

type Refused = NonNullable<ReturnType<typeof useParkedEntry<mutations.CreateEvent>>>

async function resend({ args, resend: send }: Refused, fields: EventFields): Promise<number> {
  await send({ ...args, fields, timeZone: mainZoneOf(fields.state) })
  return args.id
}
