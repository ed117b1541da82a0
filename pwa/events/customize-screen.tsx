import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { useDraft } from '../device/drafts.ts'
import { saveFailureText } from '../device/save-failure.ts'
import { DraftKept, DraftNotice } from '../forms/draft-notice.tsx'
import { customizeEvent } from '../outbox/mutations/customize-event.ts'
import type { CustomizeEvent } from '../outbox/mutations/customize-event.ts'
import { eventFieldsOf } from '../outbox/mutations/event-fields.ts'
import { updateEvent } from '../outbox/mutations/update-event.ts'
import { outbox } from '../outbox/outbox.ts'
import { idFrom, paths } from '../paths.ts'
import { useOrganizerEvent } from '../replica/view/use-events.ts'
import { useSession } from '../session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.ts'
import { customizationOf, customizationSchema, errorsOf } from './customize/customization.ts'
import type { Customization } from './customize/customization.ts'
import { EmailTemplateTab } from './customize/email-template-tab.tsx'
import { QuestionsTab } from './customize/questions-tab.tsx'
import { MissingEvent } from '../page/missing-event.tsx'
import { resendParked, useParkedEntry } from '../session/parked-entry.ts'
import type { ParkedEntry } from '../session/parked-entry.ts'
import { usePageTitle } from '../page/page-title.ts'

/** The specification's pause, in which the screen says that the work is kept. */
const returnAfterMs = 1500

/** Customize: the approval e-mail and the questions applicants answer. */
export function CustomizeScreen() {
  usePageTitle('Customize')
  const params = useParams()
  const id = idFrom(params['eventId'] ?? params['id'])
  return id === null ? <LoadError id={id} /> : <CustomizeById key={id} id={id} />
}

function LoadError({ id }: { id: number | null }) {
  return (
    <MissingEvent id={id} title="Error Loading Event">
      It does not exist, was deleted, or belongs to someone else.
    </MissingEvent>
  )
}

function CustomizeById({ id }: { id: number }) {
  const { user } = useSession()
  const { status, row } = useOrganizerEvent(id)
  const [search] = useSearchParams()
  const refused = useParkedEntry<CustomizeEvent>(search.get('resend'), customizeEvent)
  if (status === 'missing' || !user) return <LoadError id={id} />
  return (
    <Page
      title="Customize"
      lead={row?.event.name}
      width="text"
      back={{ to: paths.manageEvent(id), label: 'Manage Event' }}
    >
      {row ? (
        <CustomizeForm key={refused?.entry.seq ?? 'event'} userId={user.id} event={row.event} refused={refused} />
      ) : (
        <Skeleton shape="detail" label="Loading the event" />
      )}
    </Page>
  )
}

interface CustomizationDraft {
  readonly values: Customization
  readonly edition: number
}

function CustomizeForm({
  userId,
  event,
  refused,
}: {
  userId: number
  event: EventDocument
  refused: ParkedEntry<CustomizeEvent> | null
}) {
  const draft = useDraft<CustomizationDraft>(
    `user:${userId}/customize/${event.id}${refused ? `/resend/${refused.entry.seq}` : ''}`,
  )
  const [turn, setTurn] = useState(0)
  const [opened] = useState<CustomizationDraft>(() => ({
    values: customizationOf(refused?.args.fields ?? event, event),
    edition:
      (refused && customizeEvent.expected?.current(refused.problem.current)) ??
      refused?.args.expectedEdition ??
      event.edition,
  }))
  if (draft.status === 'loading') return <Skeleton shape="detail" label="Loading the event" />
  const restored = turn === 0 ? draft.found : null
  return (
    <>
      <DraftNotice
        writtenAt={restored && draft.foundAt}
        onStartOver={() => {
          void draft.clear()
          setTurn(turn + 1)
        }}
      />
      {refused && (
        <div className="mb-4">
          <Alert variant="destructive" title="The server did not accept this">
            {refused.problem.message} Nothing you typed is lost.
          </Alert>
        </div>
      )}
      <CustomizeTabs
        key={turn}
        userId={userId}
        event={event}
        refused={refused}
        begun={restored ?? opened}
        draft={draft}
      />
    </>
  )
}

function CustomizeTabs({
  userId,
  event,
  refused,
  begun,
  draft,
}: {
  userId: number
  event: EventDocument
  refused: ParkedEntry<CustomizeEvent> | null
  begun: CustomizationDraft
  draft: ReturnType<typeof useDraft<CustomizationDraft>>
}) {
  const navigate = useNavigate()
  // A draft of before held less.
  const [values, setValues] = useState(() => ({ ...customizationOf(event, event), ...begun.values }))
  const [tab, setTab] = useState('email')
  const { user } = useSession()
  // Who was remembered before there was such a mark counts as confirmed.
  const confirmed = user?.emailVerified !== false
  const [saving, setSaving] = useState<'no' | 'writing' | 'kept'>('no')
  const [tried, setTried] = useState(false)
  const errors = tried ? errorsOf(values) : {}

  function change(changed: Partial<Customization>) {
    const next = { ...values, ...changed }
    setValues(next)
    draft.save({ values: next, edition: begun.edition })
  }

  useEffect(() => {
    if (saving !== 'kept') return
    const timer = setTimeout(() => void navigate(paths.manageEvent(event.id)), returnAfterMs)
    return () => clearTimeout(timer)
  }, [saving, navigate, event.id])

  async function save() {
    setTried(true)
    const parsed = customizationSchema.safeParse(values)
    if (!parsed.success) {
      setTab(errorsOf(values).customQuestions ? 'questions' : 'email')
      return
    }
    setSaving('writing')
    try {
      const { beaconInstructions, promoCode, ...fields } = parsed.data
      const args: CustomizeEvent = { id: event.id, name: event.name, fields, expectedEdition: begun.edition }
      if (refused) await resendParked(refused.entry, customizeEvent, args)
      else await outbox.enqueue(customizeEvent, args, { userId })
      if (beaconInstructions !== event.beaconInstructions || promoCode !== event.promoCode) {
        // These two are the event form's: they leave as an edit of it, right behind.
        const edited = { ...eventFieldsOf(event), beaconInstructions, promoCode }
        await outbox.enqueue(updateEvent, { id: event.id, fields: edited, expectedEdition: begun.edition }, { userId })
      }
      await draft.clear()
      toast({ title: 'Customization Saved', description: 'Saved on this phone; the server follows.' })
      setSaving('kept')
    } catch (error) {
      setSaving('no')
      const message = saveFailureText(error)
      toast({ title: 'Failed to update customization', description: `Error: ${message}`, variant: 'destructive' })
    }
  }

  return (
    <>
      <Tabs
        label="What to customize"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'email',
            label: 'Email Templates',
            keep: true,
            content: (
              <Card>
                <EmailTemplateTab
                  event={event}
                  values={values}
                  errors={errors}
                  confirmed={confirmed}
                  onChange={change}
                />
              </Card>
            ),
          },
          {
            value: 'questions',
            label: 'Application Questions',
            keep: true,
            content: (
              <Card>
                <QuestionsTab values={values} error={errors.customQuestions} onChange={change} />
              </Card>
            ),
          },
        ]}
      />
      <div className="mt-6 flex flex-col-reverse items-stretch gap-3 sm:flex-row sm:items-center sm:justify-end">
        <DraftKept kept={draft.kept} />
        <Button
          variant="secondary"
          size="large"
          onClick={() => {
            void draft.clear()
            void navigate(paths.manageEvent(event.id))
          }}
        >
          Cancel
        </Button>
        <Button
          size="large"
          pending={saving !== 'no'}
          pendingText={saving === 'kept' ? 'Saved' : 'Saving...'}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
    </>
  )
}
