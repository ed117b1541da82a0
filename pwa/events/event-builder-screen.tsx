import { CalendarDays, MapPin } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { User } from '#shared/accounts/account-calls.ts'
import type { EventFields } from '#shared/events/event.ts'
import { serverNow } from '../sync/index.ts'
import { useDraft } from '../device/drafts.ts'
import { keepDraft } from '../device/kept-drafts.ts'
import { DraftKept } from '../ui/forms/draft-notice.tsx'
import { toastFailure } from '../ui/forms/failure-toast.ts'
import { EventDraftList, useEventsWithoutPlan } from './form/event-draft-list.tsx'
import { emptyEventForm, eventFormValues, writtenDays } from './form/event-form-values.ts'
import { EventForm } from './form/event-form.tsx'
import { eventDraftKey, useSavedEventDrafts, type DraftedEvent, type SavedEventDraft } from './form/event-drafts.ts'
import { paths } from '../paths.ts'
import { hasPlans } from '../device/has-plans.ts'
import { useSession } from '../device/session/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Illustration } from '../ui/illustration.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useStartAtTop } from '../ui/page/new-content.ts'

/** The specification has this pause (section 4). */
const saveDelayMs = 500

const addressOf = ({ id }: Pick<SavedEventDraft, 'id'>) => `${paths.eventBuilder}?draft=${id}`

/** Before there is an account or a plan; it stays on this device until it is published. */
export function EventBuilderScreen() {
  usePageTitle('Event Builder')
  const { state, user } = useSession()
  const [search] = useSearchParams()
  const [freshId] = useState(() => crypto.randomUUID())
  const saved = useSavedEventDrafts(user?.id ?? null)
  const withoutPlan = useEventsWithoutPlan()
  const id = search.get('draft')
  const draft = saved.drafts.find((candidate) => candidate.id === id)
  const isLoading = state === 'loading' || saved.status === 'loading'
  const view = isLoading ? 'loading' : draft && search.get('step') === 'saved' ? 'saved' : (id ?? 'start')
  useStartAtTop(view)

  if (isLoading) {
    return (
      <Page title="Build your event" width="text">
        <Skeleton shape="detail" />
      </Page>
    )
  }
  if (view === 'saved' && draft) return <Saved draft={draft} user={user} />
  if (id === null && saved.drafts.length + withoutPlan.length > 0) {
    return (
      <Page
        title="Your drafts"
        lead="Kept on this device until you publish them."
        width="text"
        titleAside={<ButtonLink to={addressOf({ id: freshId })}>Start a New Event</ButtonLink>}
      >
        <EventDraftList drafts={saved.drafts} withoutPlan={withoutPlan} addressOf={addressOf} />
      </Page>
    )
  }
  const wanted = id ?? freshId
  return (
    <Page
      title="Build your event"
      lead="No account needed yet. Publish it when you are ready."
      width="text"
      back={saved.drafts.length > 0 && id !== null ? { to: paths.eventBuilder, label: 'Your drafts' } : undefined}
    >
      <Builder
        key={wanted}
        id={wanted}
        storageKey={draft?.key ?? eventDraftKey(user?.id ?? null, wanted)}
        name={draft?.drafted.name ?? null}
      />
    </Page>
  )
}

function Builder({ id, storageKey, name }: { id: string; storageKey: string; name: string | null }) {
  const navigate = useNavigate()
  const draft = useDraft<DraftedEvent>(storageKey)
  const [pending, setPending] = useState(false)

  async function submit(fields: EventFields) {
    setPending(true)
    try {
      const value: DraftedEvent = { name, values: eventFormValues(fields) }
      await keepDraft({ key: storageKey, value, savedAt: serverNow().toISOString() })
      await new Promise((resolve) => setTimeout(resolve, saveDelayMs))
      await navigate(`${addressOf({ id })}&step=saved`)
    } catch (error) {
      toastFailure('Draft not saved', error)
      setPending(false)
    }
  }

  if (draft.status === 'loading') return <Skeleton shape="detail" />
  return (
    <EventForm
      initial={draft.found?.values ?? emptyEventForm}
      submitLabel="Save Draft and Continue"
      pending={pending}
      onValues={(values) => {
        draft.save({ name, values })
        // A reload comes back to this draft.
        if (!location.search.includes(id)) void navigate(addressOf({ id }), { replace: true })
      }}
      onSubmit={submit}
      aside={<DraftKept kept={draft.kept} />}
    />
  )
}

function Saved({ draft, user }: { draft: SavedEventDraft; user: User | null }) {
  const { values } = draft.drafted
  const days = writtenDays(values)
  const publish = `${paths.createEvent}?draft=${draft.id}`
  const steps = [
    ...(user ? [] : ['Create an account or sign in']),
    ...(hasPlans() ? ['Select a plan'] : []),
    'Publish your event',
  ]
  return (
    <Page width="narrow" back={{ to: paths.eventBuilder, label: 'Your drafts' }}>
      <Card className="shadow-lift">
        <div className="flex flex-col items-center pt-2 text-center">
          <Illustration name="hall" className="h-28 w-42" />
          <h1 className="mt-4 text-3xl">Draft saved</h1>
          <p className="mt-2 text-muted">
            {hasPlans()
              ? user
                ? 'Select a plan if you need one, and publish your event.'
                : 'To put it online, create an account or sign in, select a plan and publish your event.'
              : user
                ? 'Now publish your event.'
                : 'To put it online, create an account or sign in and publish your event.'}
          </p>
        </div>
        <section aria-label="Your event" className="mt-6 rounded-field bg-quiet-soft p-4">
          <h2 className="text-xl break-words">{draft.title}</h2>
          <div className="mt-3 flex flex-col gap-2">
            {days !== null && <Fact icon={<CalendarDays />}>{days}</Fact>}
            {(values.location || values.address) && (
              <Fact icon={<MapPin />} sub={values.address}>
                {values.location}
              </Fact>
            )}
          </div>
        </section>
        <ol className="mt-6 flex flex-col gap-3">
          {steps.map((step, index) => (
            <li key={step} className="flex items-center gap-3">
              <span
                aria-hidden="true"
                className="grid size-8 shrink-0 place-items-center rounded-full border border-edge font-semibold"
              >
                {index + 1}
              </span>
              {step}
            </li>
          ))}
        </ol>
        <div className="mt-7 flex flex-col gap-3">
          {user ? (
            <ButtonLink to={publish} size="large" wide>
              Continue to Publish
            </ButtonLink>
          ) : (
            <ButtonLink to={`${paths.auth}#sign-up`} state={{ from: publish }} size="large" wide>
              Create Account / Sign In
            </ButtonLink>
          )}
          <ButtonLink to={addressOf(draft)} variant="secondary" wide>
            Edit Event
          </ButtonLink>
        </div>
        <p className="mt-4 text-center text-sm text-muted">
          It stays on this device only, and fills in the form when you come back signed in.
        </p>
      </Card>
    </Page>
  )
}

function Fact({ icon, children, sub }: { icon: ReactNode; children: ReactNode; sub?: ReactNode }) {
  return (
    <div className="flex gap-3">
      <span aria-hidden="true" className="grid h-[1.55em] w-5 shrink-0 place-items-center text-muted [&>svg]:size-5">
        {icon}
      </span>
      <div className="min-w-0">
        {children}
        {sub && <div className="text-sm text-muted">{sub}</div>}
      </div>
    </div>
  )
}
