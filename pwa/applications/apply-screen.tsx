import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { ApplicationFields } from '#shared/applications/application.ts'
import { closedMessageOf } from '#shared/events/cancellation.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { newId } from '#shared/record/new-id.ts'
import { formatDeadline, formatEventDays } from '#shared/time/date-range.ts'
import { applicationsAreOpen } from '#shared/time/event-time.ts'
import { reachability, outbox, serverNow, mutations, useParkedEntry, useOutbox } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { ifAnswered } from '../browser/page-storage.ts'
import { DraftKept, DraftNotice, useFormDraft } from '../ui/forms/draft-notice.tsx'
import { toastFailure } from '../ui/forms/failure-toast.ts'
import { AsOf } from '../ui/page/as-of.tsx'
import { useStartAtTop } from '../ui/page/new-content.ts'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useNow } from '../ui/page/use-now.ts'
import { paths } from '../paths.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { announce } from '../ui/live-region.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toast.ts'
import { ApplicationOnDevice, ApplicationRefused } from './application-state.tsx'
import {
  applyFormOf,
  correctedFields,
  emptyApplyForm,
  prefilledForm,
  restoredForm,
  type ApplyFormValues,
} from './apply-form-values.ts'
import { ApplyForm, type Application } from './apply-form.tsx'
import { cameFromOf } from './came-from.ts'
import { HostedBy } from './hosted-by.tsx'
import {
  lastAnswers,
  useOwnApplication,
  type OwnApplication,
  type SentApplication,
  type UnsentApplication,
} from './own-application.ts'
import { useLinkToken } from './own-page/link-token.ts'
import { sendApplication } from './send-application.ts'
import { OwnPage } from './own-page/own-page.tsx'
import { OwnPageOfHiddenEvent } from './own-page/own-page-of-hidden-event.tsx'
import { sendCorrection } from './own-page/use-own-page.ts'
import { PublicEventPage, type ShownEvent } from './public-event-page.tsx'

interface StoredForm {
  values: ApplyFormValues
  /** The form was first opened at this time, in milliseconds since the epoch. */
  openedAtMs: number
}

/** Announces once that the server has accepted or refused what was waiting. */
function useNews(application: OwnApplication | null) {
  const before = useRef<OwnApplication['state'] | null>(null)
  useEffect(() => {
    const was = before.current
    before.current = application?.state ?? null
    if (was !== 'on-this-device' || !application) return
    if (application.state === 'sent') announce('Application Submitted')
    if (application.state === 'refused') {
      const reason = application.entry.refusal?.problem.message ?? 'It was refused.'
      toast({ variant: 'destructive', title: 'Application Failed', description: `Error: ${reason}` })
    }
  }, [application])
}

/** It is undefined until the device was read, and null without any. */
function useLastAnswers(wanted: boolean): ApplicationFields | null | undefined {
  const [last, setLast] = useState<ApplicationFields | null | undefined>(wanted ? undefined : null)
  useEffect(() => {
    if (wanted) void ifAnswered(lastAnswers()).then((found) => setLast(found ?? null))
  }, [wanted])
  return last
}

/** `correcting` fills the form with an application that waits or was refused. */
function Form(props: {
  event: PublicEvent
  /** Another person has just applied on this device. */
  handedOn: boolean
  correcting: UnsentApplication | null
  /** The server has this one, which is being corrected. */
  sent: SentApplication | null
  /** The person before may have been another one. */
  suggested: boolean
  onSaved: (sent: SentApplication | null) => Promise<void>
}) {
  const { event, correcting, sent, handedOn, suggested, onSaved } = props
  const draft = useFormDraft<StoredForm>(
    `visitor/apply/${event.id}${correcting ? `/resend/${correcting.entry.seq}` : ''}`,
  )
  const [openedAtMs] = useState(() => Date.now())
  const unreachable = useObservable(reachability) === 'unreachable'
  const last = useLastAnswers(suggested)
  if (draft.status === 'loading' || last === undefined) return <Skeleton shape="detail" />

  const { restored } = draft
  const prefilled = correcting === null && restored === null && draft.turn === 0 && last ? last : null
  const since = restored?.openedAtMs ?? openedAtMs
  const start = correcting
    ? applyFormOf(correcting.args.fields)
    : prefilled
      ? prefilledForm(prefilled)
      : emptyApplyForm()

  const send = async ({ fields, website }: Application) => {
    const filledInMs = (correcting?.args.filledInMs ?? 0) + Math.max(0, Date.now() - since)
    const cameFrom = correcting ? correcting.args.cameFrom : cameFromOf(event.id)
    const about = { id: newId(), eventId: event.id, eventName: event.name }
    const finishedAt = correcting?.args.finishedAt ?? serverNow().toISOString()
    const args: mutations.ApplyAsBeacon = { ...about, fields, website, filledInMs, cameFrom, finishedAt }
    let sentNow: SentApplication | null = null
    try {
      if (sent) {
        const corrected = correctedFields(sent.fields, fields, event)
        await sendCorrection({ token: sent.token, event, application: sent }, corrected)
      } else if (correcting) await resend(correcting.entry.seq, correcting.args, args)
      else sentNow = await sendApplication(args)
      await draft.clear()
      await onSaved(sentNow)
    } catch (error) {
      toastFailure('Application Failed', error, 'Error: ')
    }
  }

  return (
    <>
      <DraftNotice draft={draft} />
      {prefilled && (
        <Alert
          className="mb-4"
          variant="quiet"
          action={
            <Button variant="secondary" size="small" onClick={draft.startOver}>
              Clear
            </Button>
          }
        >
          Filled in with your answers from last time.
        </Alert>
      )}
      <Card>
        <ApplyForm
          key={draft.turn}
          event={event}
          initial={restoredForm(start, restored?.values)}
          refusal={correcting?.entry.refusal?.problem}
          submitLabel={correcting ? 'Send Again' : 'Submit Application'}
          handedOn={handedOn}
          inSteps={!correcting}
          onChange={(values) => draft.save({ values, openedAtMs: since })}
          onSend={send}
        />
        <div className="mt-4 flex flex-col gap-1">
          {unreachable && (
            <p className="text-sm text-muted">
              You are offline: your application is saved here and will be sent automatically.
            </p>
          )}
          <DraftKept kept={draft.kept} />
        </div>
      </Card>
    </>
  )
}

/** Under another email address it is another application; the old one is then removed. */
async function resend(seq: number, before: mutations.ApplyAsBeacon, args: mutations.ApplyAsBeacon): Promise<void> {
  const isSame = mutations.applyAsBeacon.lane(before) === mutations.applyAsBeacon.lane(args)
  const outcome = await (isSame ? outbox.editAndResend(seq, mutations.applyAsBeacon, args) : outbox.discard(seq))
  if (outcome === 'too-late' || outcome === 'already-happened' || outcome === 'unknown')
    throw new Error('It is already on its way as it was.')
  if (!isSame) await outbox.enqueue(mutations.applyAsBeacon, args, { userId: null })
}

/** The refused application that `?resend=` names; there may be a newer one. */
function useWantedApplication(eventId: number): { status: 'loading' | 'ready'; application: UnsentApplication | null } {
  const seq = useSearchParams()[0].get('resend')
  const { status } = useOutbox()
  const refused = useParkedEntry(seq, mutations.applyAsBeacon)
  const application =
    refused?.args.eventId === eventId ? { state: 'refused' as const, entry: refused.entry, args: refused.args } : null
  return { status: seq === null ? 'ready' : status, application }
}

function Apply({ event, asOf, stale, reload }: ShownEvent) {
  const own = useOwnApplication(event.id)
  const { token: linkToken, looking } = useLinkToken(own.sent)
  const wanted = useWantedApplication(event.id)
  const status = looking || wanted.status === 'loading' ? 'loading' : own.status
  /** The server has it, and this browser keeps nothing. */
  const [sentHere, setSentHere] = useState<SentApplication | null>(null)
  const newest = wanted.application ?? own.newest ?? (sentHere && { state: 'sent', sent: sentHere })
  const navigate = useNavigate()
  const [mode, setMode] = useState<'state' | 'another' | 'handed-on' | 'correct'>('state')
  /** It stays while it is corrected, because it may leave during that time. */
  const [opened, setOpened] = useState<UnsentApplication | null>(null)
  const unsent = newest && newest.state !== 'sent' ? newest : null
  const correcting = mode === 'correct' ? (unsent ?? opened) : mode === 'state' ? unsent : null
  usePageTitle(`Become a Beacon at ${event.name}`)
  useNews(newest)
  useStartAtTop(status === 'loading' ? status : `${mode} ${(correcting ?? newest)?.state ?? 'form'}`)
  const open = applicationsAreOpen(event, useNow())
  const deadline = formatDeadline(event)
  const back = { to: paths.event(event.id), label: event.name }
  const showState = () => setMode('state')
  const saved = async (sent: SentApplication | null) => {
    setSentHere(sent)
    await own.refresh()
    showState()
    if (wanted.application) await navigate(paths.apply(event.id), { replace: true })
  }
  const another = (handedOn: boolean) => setMode(handedOn ? 'handed-on' : 'another')

  if (status === 'loading') {
    return (
      <Page width="text" back={back}>
        <Skeleton shape="detail" />
      </Page>
    )
  }
  const token = linkToken ?? (mode === 'state' && newest?.state === 'sent' ? newest.sent.token : null)
  if (token !== null) {
    const onAnother = open && linkToken === null ? another : undefined
    return <OwnPage key={token} token={token} event={event} own={own} onAnother={onAnother} />
  }
  if (mode === 'state' && newest?.state === 'on-this-device') {
    return (
      <ApplicationOnDevice
        event={event}
        application={newest}
        onCorrect={() => {
          setOpened(newest)
          setMode('correct')
        }}
        onChanged={own.refresh}
        onAnother={open ? another : undefined}
      />
    )
  }
  return (
    <Page width="text" back={back} title="Become a Beacon" lead={`${event.name} · ${formatEventDays(event)}`}>
      <div className="mb-4">
        <HostedBy event={event} />
        {open && deadline && <p className="text-sm text-muted">Apply by {deadline}.</p>}
      </div>
      <AsOf asOf={asOf} stale={stale} onReload={reload} />
      {mode === 'handed-on' && (
        <p className="mb-5 text-sm text-muted">
          The application before yours is no longer shown here. Once it is sent, nothing of it is kept on this device.
        </p>
      )}
      {correcting?.state === 'refused' && <ApplicationRefused application={correcting} />}
      {open || correcting ? (
        <Form
          key={`${correcting?.entry.key ?? 'new'} ${mode}`}
          event={event}
          correcting={correcting}
          sent={newest?.state === 'sent' && newest.sent.id === correcting?.args.id ? newest.sent : null}
          handedOn={mode === 'handed-on'}
          suggested={mode === 'state'}
          onSaved={saved}
        />
      ) : (
        <EmptyState
          illustration="beacons"
          title={closedMessageOf(event)}
          action={<ButtonLink to={paths.events}>Browse Events</ButtonLink>}
        >
          Other events are looking for Beacons too.
        </EmptyState>
      )}
      {mode === 'another' && (
        <div className="mt-4">
          <Button variant="ghost" onClick={showState}>
            Back to the earlier application
          </Button>
        </div>
      )}
    </Page>
  )
}

export const ApplyScreen = () => (
  <PublicEventPage shown={Apply} loading={{ width: 'text', title: 'Become a Beacon' }} missing={OwnPageOfHiddenEvent} />
)
