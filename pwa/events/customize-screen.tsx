import { pickEventFields } from '#shared/events/event-record.ts'
import { accountPrefix, may } from '../device/session/acting.ts'
import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import type { User } from '#shared/accounts/account-calls.ts'
import type { Draft } from '../device/drafts.ts'
import { DraftKept, DraftNotice, useFormDraft } from '../ui/forms/draft-notice.tsx'
import { toastFailure } from '../ui/forms/failure-toast.ts'
import { outbox, mutations, useParkedEntry } from '../sync/index.ts'
import { idFrom, paths } from '../paths.ts'
import { Alert } from '../ui/alert.tsx'
import { ForManagers } from '../team/for-managers.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.ts'
import {
  customizationOf,
  customizationSchema,
  errorsOf,
  hasSameCustomization,
  type Customization,
} from './customize/customization.ts'
import { EmailTemplateTab } from './customize/email-template-tab.tsx'
import { QuestionsTab } from './customize/questions-tab.tsx'
import { PublishedCard } from './published-card.tsx'
import { OrganizerEventPage } from './organizer-event-page.tsx'

/** The specification has this pause. */
const returnAfterMs = 1500

export function CustomizeScreen() {
  const { eventId } = useParams()
  const [search] = useSearchParams()
  const refused = useParkedEntry<mutations.CustomizeEvent>(search.get('resend'), mutations.customizeEvent)
  if (!may('manager')) return <ForManagers />
  return (
    <OrganizerEventPage
      id={idFrom(eventId)}
      tabTitle="Customize"
      missing={{ title: 'Error Loading Event' }}
      page={(row) => ({ title: 'Customize', lead: row?.event.name, width: 'text' })}
    >
      {(row, user) => (
        <>
          <PublishedCard row={row} />
          <CustomizeForm
            key={`${row.event.id} ${refused?.entry.seq ?? ''}`}
            user={user}
            event={row.event}
            refused={refused}
          />
        </>
      )}
    </OrganizerEventPage>
  )
}

interface CustomizationDraft {
  readonly values: Customization
  readonly basis: string | null
}

interface CustomizeProps {
  user: User
  event: EventDocument
  refused: ReturnType<typeof useParkedEntry<mutations.CustomizeEvent>>
}

function CustomizeForm(props: CustomizeProps) {
  const { user, event, refused } = props
  const draft = useFormDraft<CustomizationDraft>(
    `${accountPrefix(user.id)}customize/${event.id}${refused ? `/resend/${refused.entry.seq}` : ''}`,
  )
  const [opened] = useState<CustomizationDraft>(() => ({
    values: customizationOf(refused?.args.fields ?? event, event),
    basis: refused ? refused.basisSeen : event.basis,
  }))
  if (draft.status === 'loading') return <Skeleton shape="detail" label="Loading the event" />
  return (
    <>
      <DraftNotice draft={draft} />
      {refused && (
        <Alert className="mb-4" variant="destructive" title="The server did not accept this">
          {refused.problem.message} Nothing you typed is lost.
        </Alert>
      )}
      <CustomizeTabs key={draft.turn} {...props} begun={draft.restored ?? opened} draft={draft} />
    </>
  )
}

function CustomizeTabs(props: CustomizeProps & { begun: CustomizationDraft; draft: Draft<CustomizationDraft> }) {
  const { user, event, refused, begun, draft } = props
  const navigate = useNavigate()
  const [values, setValues] = useState(begun.values)
  const [tab, setTab] = useState('email')
  const [saving, setSaving] = useState<'no' | 'writing' | 'kept'>('no')
  const [tried, setTried] = useState(false)
  const errors = tried ? errorsOf(values) : {}

  function change(changed: Partial<Customization>) {
    const next = { ...values, ...changed }
    setValues(next)
    draft.save({ values: next, basis: begun.basis })
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
      const args: mutations.CustomizeEvent = { id: event.id, name: event.name, fields, basis: begun.basis }
      // One that changes nothing would be right on any state, and the edit after it, which carries every field, with it.
      const isSame = hasSameCustomization(fields, event)
      if (refused) await refused.resend(args)
      else if (!isSame) await outbox.enqueue(mutations.customizeEvent, args, { userId: user.id })
      if (beaconInstructions !== event.beaconInstructions || promoCode !== event.promoCode) {
        // These two leave as an edit of the event, right after it.
        const edited = { ...pickEventFields(event), beaconInstructions, promoCode }
        const edit = { id: event.id, fields: edited, basis: begun.basis }
        await outbox.enqueue(mutations.updateEvent, edit, { userId: user.id })
      }
      await draft.clear()
      toast({ title: 'Customization Saved', description: 'Saved on this device.' })
      setSaving('kept')
    } catch (error) {
      setSaving('no')
      toastFailure('Failed to update customization', error, 'Error: ')
    }
  }

  return (
    // What is typed while it is saved would be in no draft.
    <fieldset className="min-w-0" disabled={saving !== 'no'}>
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
                  confirmed={user.emailVerified}
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
    </fieldset>
  )
}
