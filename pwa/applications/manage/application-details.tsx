import { useState, type ComponentProps } from 'react'
import type { DecisionMade } from '#shared/applications/application-calls.ts'
import {
  applicationRecord,
  type DefaultQuestionField,
  questionnaire,
  questionText,
  type PublicField,
} from '#shared/applications/application-record.ts'
import { labelsOf } from '#shared/record/record.ts'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { call, Unreachable, type ApplicationRow, useOrganizerEvent } from '../../sync/index.ts'
import { Alert } from '../../ui/alert.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DefinitionList, type Definition } from '../../ui/definition-list.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { formatClock, formatDay } from '../../ui/page/local-time.ts'
import { dash, decisionSyncState, decisionWord, fullName, initialsOf, workLine } from './shown-applicant.ts'
import { ApplicationBadges, DecisionButtons, type DecisionActions } from './decision-buttons.tsx'
import { type ApplicantList, ComingLabel } from './application-row.tsx'
import { ApplicantMails } from '../../mail/mail-log-panel.tsx'
import { HereButton, NoteEditor, StarButton, type MarkActions } from './marks.tsx'

const link = 'inline-flex min-h-11 items-center underline underline-offset-4 hover:text-signal break-all'

function contact({ email, phone, linkedinUrl }: ApplicationDocument): Definition[] {
  const anchor = (text: string, href: string, rest: ComponentProps<'a'> = {}) => (
    <a className={link} href={href} {...rest}>
      {text}
    </a>
  )
  const newTab = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' }
  return [
    { term: 'Email', detail: anchor(email, `mailto:${email}`) },
    { term: 'Phone', detail: phone ? anchor(phone, `tel:${phone}`) : 'No phone provided' },
    ...(linkedinUrl ? [{ term: 'LinkedIn', detail: anchor('LinkedIn Profile', linkedinUrl, newTab) }] : []),
  ]
}

const terms = labelsOf(applicationRecord)
/** What a decision is mostly made on comes first. */
const readFirst = [...new Set<DefaultQuestionField>(['whyBeacon', 'bio', ...questionnaire])]

/** @param asked the event's present questions; undefined while unknown */
function answers(application: ApplicationDocument, asked: readonly string[] | undefined): Definition[] {
  return [
    ...readFirst.map((name) => ({ term: terms[name], detail: application[name] || dash })),
    ...application.customAnswers.map(({ question, answer }) => ({
      term: isStillAsked(question, asked) ? questionText(question) : `${questionText(question)} (no longer asked)`,
      detail: answer || dash,
    })),
  ]
}

const isStillAsked = (question: string, asked: readonly string[] | undefined) =>
  !asked || asked.some((one) => questionText(one) === questionText(question))

/** The latest are on this device, earlier ones come from the server. */
function History({ application }: { application: ApplicationDocument }) {
  const { id, decisions: latest } = application
  const [earlier, setEarlier] = useState<readonly DecisionMade[]>([])
  const [state, setState] = useState<'idle' | 'asking' | 'unreachable' | 'failed'>('idle')
  const [oldest] = latest
  if (!oldest) return null
  const decisions = [...earlier.filter(({ number }) => number < oldest.number), ...latest]
  const ask = async () => {
    setState('asking')
    try {
      setEarlier(await call('listDecisions', { params: { beaconId: id } }))
      setState('idle')
    } catch (error) {
      setState(error instanceof Unreachable ? 'unreachable' : 'failed')
    }
  }
  return (
    <section aria-labelledby="decision-history">
      <h3 id="decision-history" className="mb-2 text-lg">
        Decisions
      </h3>
      <ol className="flex flex-col gap-2">
        {decisions.toReversed().map(({ number, from, to, at, device, by }) => (
          <li key={number} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusBadge status={by === 'applicant' ? 'withdrawn' : to} />
            <span className="text-sm text-muted">
              {by === 'applicant' ? 'by the applicant' : from === 'approved' && to === 'rejected' ? 'revoked' : ''}{' '}
              {formatDay(at)}, {formatClock(at)}
              {device && ` · ${device}`}
            </span>
          </li>
        ))}
      </ol>
      {decisions[0]?.from !== 'pending' && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <Button variant="secondary" size="small" pending={state === 'asking'} onClick={() => void ask()}>
            Earlier Decisions
          </Button>
          <output className="text-sm text-muted">
            {state === 'unreachable' && 'They are on the server alone and need a connection.'}
            {state === 'failed' && 'The server could not list them. Please try again.'}
          </output>
        </div>
      )}
    </section>
  )
}

const labels: Record<PublicField, string> = { ...terms, linkedinUrl: 'LinkedIn profile' }

/** Public text that an approved Beacon changed: as approved, and as the page shows it now. */
function PublicChanges({ row, actions }: { row: ApplicationRow; actions: MarkActions }) {
  const { publicChanges } = row.application
  if (!publicChanges) return null
  const { at, changes } = publicChanges
  return (
    <Alert
      variant="signal"
      title="Changed after your approval"
      action={
        <Button variant="secondary" size="small" onClick={() => actions.onChangesSeen(row, at)}>
          Agree to the Changes
        </Button>
      }
    >
      <p>
        Guests read this since {formatDay(at)}, {formatClock(at)}. Revoke the approval if it should not stand there.
      </p>
      <dl className="mt-2 flex flex-col gap-3">
        {changes.map(({ field, was }) => (
          <div key={field}>
            <dt className="text-sm font-medium">{labels[field]}</dt>
            <dd className="text-sm break-words whitespace-pre-line">
              {was === null ? (
                <span className="block opacity-80">It was empty.</span>
              ) : (
                <del className="block opacity-80">
                  <span className="sr-only">You approved: </span>
                  {was}
                </del>
              )}
              <ins className="block no-underline">
                <span className="sr-only">Now: </span>
                {row.application[field] || dash}
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </Alert>
  )
}

export interface ViewedProps {
  readonly row: ApplicationRow
  readonly list: ApplicantList
  /** Deciding here goes on to the next applicant. */
  readonly actions: DecisionActions
  /** Whether a rejection is mailed. */
  readonly tell: boolean
  readonly onTell: (tell: boolean) => void
  readonly onClose: () => void
}

export function DetailsHead({ row, list: { actions, here } }: Pick<ViewedProps, 'row' | 'list'>) {
  const { application } = row
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Avatar initials={initialsOf(application)} />
      <div className="min-w-0 flex-1">
        <ApplicationBadges row={row} />
        <ComingLabel application={application} />
        <p className="mt-1 text-sm text-muted">
          Applied {formatDay(application.createdAt)}
          {application.withdrawnAt && ` · Withdrawn by the applicant ${formatDay(application.withdrawnAt)}`}
        </p>
      </div>
      <StarButton row={row} actions={actions} />
      {here.offered && application.status === 'approved' && (
        <div className="grid max-sm:basis-full">
          <HereButton row={row} here={here.of(application)} actions={actions} />
        </div>
      )}
    </div>
  )
}

export function DetailsDecision({ row, actions, tell, onTell }: Omit<ViewedProps, 'list' | 'onClose'>) {
  const isUndecided = row.application.status === 'pending' && decisionSyncState(row) === 'confirmed'
  return (
    <>
      {isUndecided && (
        <CheckboxField
          label="Tell the applicant"
          hint="When you reject, a polite e-mail says so."
          look="switch"
          checked={tell}
          onChange={(event) => onTell(event.target.checked)}
        />
      )}
      <DecisionButtons row={row} actions={actions} tell={tell} />
    </>
  )
}

/** What decides comes first, what only the organizer reads last. */
export function DetailsBody({ row, list: { actions } }: Pick<ViewedProps, 'row' | 'list'>) {
  const { application } = row
  const event = useOrganizerEvent(application.eventId).row?.event
  return (
    <>
      <PublicChanges row={row} actions={actions} />
      <DefinitionList items={answers(application, event?.customQuestions)} />
      <DefinitionList items={contact(application)} columns />
      <History application={application} />
      <ApplicantMails eventId={application.eventId} applicationId={application.id} />
      <NoteEditor row={row} actions={actions} />
    </>
  )
}

/** @param undoable the decision made here before, whose bar this dialog hides */
export function ApplicationDialog({ undoable, ...viewed }: ViewedProps & { undoable: ApplicationRow | null }) {
  const { row, actions, onClose } = viewed
  return (
    <Dialog
      open
      onClose={onClose}
      title={fullName(row.application)}
      description={workLine(row.application) ?? undefined}
      footer={
        <>
          {undoable && (
            <p className="mb-2 flex items-center justify-between gap-3 text-sm text-muted">
              {decisionWord(undoable.application.status)} {fullName(undoable.application)}
              <Button variant="ghost" size="small" onClick={() => actions.onUndo(undoable)}>
                Undo
              </Button>
            </p>
          )}
          <DetailsDecision {...viewed} />
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <DetailsHead {...viewed} />
        <DetailsBody {...viewed} />
      </div>
    </Dialog>
  )
}
