import { useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router-dom'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { formatEventDays } from '#shared/time/date-range.ts'
import { outbox, reachability, type Entry } from '../../sync/index.ts'
import { useObservable } from '../../browser/observable.ts'
import { useDraft } from '../../device/drafts.ts'
import { DraftKept } from '../../ui/forms/draft-notice.tsx'
import { toastFailure } from '../../ui/forms/failure-toast.ts'
import { useStartAtTop } from '../../ui/page/new-content.ts'
import { usePageTitle } from '../../ui/page/page-title.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { applyFormOf, correctedFields, restoredForm, type ApplyFormValues } from '../apply-form-values.ts'
import { ApplyForm, type Application } from '../apply-form.tsx'
import type { OwnApplications } from '../own-application.ts'
import { hashOf } from './link-token.ts'
import { OwnPageCard } from './own-page-card.tsx'
import { wantedFields } from './own-page-state.ts'
import { sendCorrection, useOwnPage, type Opened, type OwnPage as Found, type ReadyPage } from './use-own-page.ts'

interface OwnPageProps {
  readonly token: string
  readonly event: PublicEvent
  readonly own: OwnApplications
  readonly onAnother: ((handedOn: boolean) => void) | undefined
}

/** `token` comes from the link, or from this device's own application. */
export function OwnPage({ token, event, own, onAnother }: OwnPageProps) {
  const page = useOwnPage(token, event.id, own, event)
  const [correcting, setCorrecting] = useState(false)
  usePageTitle(`Your application for ${event.name}`)
  useStartAtTop(page.status === 'loading' ? 'loading' : correcting ? 'correcting' : 'card')
  useNews(page)
  useGroundlessDiscarded(page)

  if (page.status !== 'ready') return <Absent event={event} page={page} />
  const { shown, refused } = page.state
  // A link with another event's number has to find its application, too.
  if (shown.eventId !== event.id) return <Navigate to={paths.apply(shown.eventId) + hashOf(token)} replace />
  const opened = { token, event, application: shown }
  if (correcting) {
    return (
      <CorrectionForm
        opened={opened}
        refused={refused}
        onBack={() => setCorrecting(false)}
        onSaved={async () => {
          await own.refresh()
          setCorrecting(false)
        }}
      />
    )
  }
  return (
    <OwnPageCard opened={opened} page={page} own={own} onCorrect={() => setCorrecting(true)} onAnother={onAnother} />
  )
}

/** Holds what was sent before, or a refused correction. */
function CorrectionForm(props: {
  opened: Opened
  refused: Entry | null
  onBack: () => void
  onSaved: () => Promise<void>
}) {
  const { opened, refused, onBack, onSaved } = props
  const { event, application } = opened
  const draft = useDraft<ApplyFormValues>(`visitor/own-application/${application.id}`)
  const unreachable = useObservable(reachability) === 'unreachable'
  const written = application as ApplicationFields & Opened['application']
  const start = { ...applyFormOf((refused && wantedFields(refused)) ?? written), agreeTerms: true }

  const send = async ({ fields }: Application) => {
    try {
      await sendCorrection(opened, correctedFields(written, fields, event))
      await draft.clear()
      await onSaved()
    } catch (error) {
      toastFailure('Application Failed', error, 'Error: ')
    }
  }
  return (
    <Page width="text" title="Correct your application" lead={`${event.name} · ${formatEventDays(event)}`}>
      {draft.status === 'loading' ? (
        <Skeleton shape="detail" />
      ) : (
        <Card>
          <ApplyForm
            event={event}
            initial={restoredForm(start, draft.found ?? undefined)}
            refusal={refused?.refusal?.problem}
            submitLabel="Save Correction"
            onChange={draft.save}
            onSend={send}
          />
          <div className="mt-4 flex flex-col gap-3">
            <Button
              variant="ghost"
              wide
              onClick={() => {
                void draft.clear()
                onBack()
              }}
            >
              Leave it as it was
            </Button>
            {unreachable && (
              <p className="text-sm text-muted">
                You are offline: your correction is saved here and will be sent automatically.
              </p>
            )}
            <DraftKept kept={draft.kept} />
          </div>
        </Card>
      )}
    </Page>
  )
}

/** A refusal goes when what it was for is over: it would hold up the next answer, and contradict the page. */
function useGroundlessDiscarded(page: Found): void {
  const seqs = page.status === 'ready' ? page.groundless.map(({ seq }) => seq).join() : ''
  useEffect(() => {
    for (const seq of seqs.split(',').filter(Boolean)) void outbox.discard(Number(seq)).catch(() => undefined)
  }, [seqs])
}

function useNews(page: Found): void {
  const waiting =
    page.status === 'ready' && (page.state.correcting ?? page.state.withdrawing ?? page.state.applyingAgain) !== null
  const refused = page.status === 'ready' && page.state.refused !== null
  const before = useRef(false)
  useEffect(() => {
    if (before.current && !waiting && !refused) announce('The organizer has your change.')
    before.current = waiting
  }, [waiting, refused])
}

function Absent({ event, page: { status, reload } }: { event: PublicEvent; page: Exclude<Found, ReadyPage> }) {
  if (status === 'loading') {
    return (
      <Page width="narrow" back={{ to: paths.event(event.id), label: event.name }}>
        <Skeleton shape="detail" label="Loading your application" />
      </Page>
    )
  }
  if (status === 'missing') {
    return (
      <EmptyState
        illustration="lost"
        level={1}
        title="Application Not Found"
        action={<ButtonLink to={paths.event(event.id)}>Return to Event</ButtonLink>}
      >
        There is no application under this link. It may have been cut off on its way to you.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      illustration="offline"
      level={1}
      title="This application is not on this device yet"
      action={<Button onClick={reload}>Try Again</Button>}
    >
      Beaconry cannot be reached. Once this page has been opened here, it is there without a network too.
    </EmptyState>
  )
}
