import { useDeferredValue, useMemo, useState, type ComponentProps } from 'react'
import type { DecisionMade } from '#shared/applications/application-calls.ts'
import {
  applicationRecord,
  type DefaultQuestionField,
  questionnaire,
  questionText,
  type PublicPart,
} from '#shared/applications/application-record.ts'
import { labelsOf } from '#shared/record/record.ts'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { call, Unreachable, type ApplicationRow, useOrganizerEvent, questions } from '../../sync/index.ts'
import { may } from '../../device/session/acting.ts'
import { Alert } from '../../ui/alert.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DefinitionList, type Definition } from '../../ui/definition-list.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { formatClock, formatDay } from '../../ui/page/local-time.ts'
import { dash, decisionSyncState, fullName, workLine } from './shown-applicant.ts'
import { ApplicationBadges, DecisionButtons, UndoLine, type Batch, type DecisionActions } from './decision-buttons.tsx'
import { type ApplicantList, ComingLabel, PostInList } from './application-row.tsx'
import { ApplicantMails } from '../../mail/mail-log-panel.tsx'
import { CorrectEmail } from './correct-email.tsx'
import { PresenceLines } from './presence/presence-lines.tsx'
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
    { term: 'Email', detail: email ? anchor(email, `mailto:${email}`) : 'No email provided' },
    { term: 'Phone', detail: phone ? anchor(phone, `tel:${phone}`) : 'No phone provided' },
    ...(linkedinUrl ? [{ term: 'LinkedIn', detail: anchor('LinkedIn Profile', linkedinUrl, newTab) }] : []),
  ]
}

const terms = labelsOf(applicationRecord)
/** The answers that a decision mostly depends on come first. */
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
            <StatusBadge status={by === 'applicant' && to === 'rejected' ? 'withdrawn' : to} />
            <span className="text-sm text-muted">
              {by === 'applicant'
                ? to === 'pending'
                  ? 'applied again'
                  : 'by the applicant'
                : from === 'approved' && to === 'rejected'
                  ? 'revoked'
                  : ''}{' '}
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

const labels: Record<PublicPart, string> = { ...terms, linkedinUrl: 'LinkedIn profile', faceHash: 'Photo' }

/** Shows what an approved Beacon changed for guests: as it was approved, and as the page shows it now. */
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
        Guests see this since {formatDay(at)}, {formatClock(at)}. Revoke the approval if it should not stand there.
      </p>
      <dl className="mt-2 flex flex-col gap-3">
        {changes.map(({ field, was }) => (
          <div key={field}>
            <dt className="text-sm font-medium">{labels[field]}</dt>
            <dd className="text-sm break-words whitespace-pre-line">
              {field === 'faceHash' ? (
                photoChange(was, row.application.faceHash)
              ) : (
                <>
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
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Alert>
  )
}

function photoChange(was: string | null, now: string | undefined): string {
  if (now === undefined) return 'The photo was removed.'
  return was === null
    ? 'There was none. The new one is shown above.'
    : 'It was another one. The new one is shown above.'
}

const whenReachable: questions.RefetchOptions<string | null> = { reachable: 'after failure' }

/** The photo comes from the server alone, so without a network the initials stay. */
function useFace({ id, faceHash }: ApplicationDocument): string | undefined {
  const question = useMemo(() => createFaceQuestion(id, faceHash), [id, faceHash])
  return questions.useAnswer(question, whenReachable).answer ?? undefined
}

/** @param faceHash another one is another photo; undefined for none */
function createFaceQuestion(beaconId: number, faceHash: string | undefined) {
  return questions.createQuestion<string | null>({
    call: async (signal) => {
      if (faceHash === undefined) return null
      const { picture } = await call('getFace', { params: { beaconId }, signal })
      return `data:image/webp;base64,${picture}`
    },
  })
}

export interface ViewedProps {
  readonly row: ApplicationRow
  readonly list: ApplicantList
  /** Deciding here goes on to the next applicant. */
  readonly actions: DecisionActions
  /** It is true if a rejection is mailed. */
  readonly tell: boolean
  readonly onTell: (tell: boolean) => void
  readonly onClose: () => void
}

export function DetailsHead({ row, list }: Pick<ViewedProps, 'row' | 'list'>) {
  const { actions, arrivals, isOver, trackRecordOf } = list
  const { application } = row
  const face = useFace(application)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Avatar
        initials={initialsOf([application.firstName, application.lastName])}
        face={face}
        size={face ? 'large' : 'normal'}
      />
      <div className="min-w-0 flex-1">
        <ApplicationBadges row={row} />
        <ComingLabel application={application} isOver={isOver(application)} />
        <p className="mt-1 text-sm text-muted">
          {application.walkedIn ? 'Walked in' : 'Applied'} {formatDay(application.createdAt)}
          {application.sentLate && ' · Finished before the deadline, sent after it'}
          {application.withdrawnAt && ` · Withdrawn by the applicant ${formatDay(application.withdrawnAt)}`}
        </p>
        <p className="text-sm font-medium empty:hidden">{trackRecordOf(application)}</p>
      </div>
      <StarButton row={row} actions={actions} />
      {arrivals.offered && !arrivals.isOver && application.status === 'approved' && (
        <div className="grid max-sm:basis-full">
          <HereButton row={row} arrivals={arrivals} actions={actions} />
        </div>
      )}
      <div className="-ml-2 flex min-w-0 basis-full empty:hidden">
        <PostInList row={row} list={list} />
      </div>
    </div>
  )
}

export function DetailsDecision(props: Omit<ViewedProps, 'onClose'> & { onSkip?: (() => void) | undefined }) {
  const { row, list, actions, tell, onTell, onSkip } = props
  const isUndecided = row.application.status === 'pending' && decisionSyncState(row) === 'confirmed'
  return (
    <>
      {isUndecided && (
        <div className="flex items-start justify-between gap-3">
          <CheckboxField
            label="Tell the applicant"
            hint="When you reject, a polite email says so."
            look="switch"
            checked={tell}
            onChange={(event) => onTell(event.target.checked)}
          />
          {onSkip && (
            <Button variant="ghost" flush="end" onClick={onSkip}>
              Skip
            </Button>
          )}
        </div>
      )}
      <DecisionButtons row={row} actions={actions} isOver={list.isOver(row.application)} tell={tell} />
    </>
  )
}

/** What decides comes first, what only the organizer reads last. */
export function DetailsBody({ row, list }: Pick<ViewedProps, 'row' | 'list'>) {
  const { application } = row
  const { actions, arrivals } = list
  const event = useOrganizerEvent(application.eventId).row?.event
  // It is deferred, so that the next person is read as soon as the one before is decided.
  const hasRest = useDeferredValue(true, false)
  return (
    <>
      <PublicChanges row={row} actions={actions} />
      <PresenceLines row={row} arrivals={arrivals} actions={actions} />
      <DefinitionList items={answers(application, event?.customQuestions)} />
      {hasRest && <DetailsRest row={row} list={list} />}
    </>
  )
}

function DetailsRest({ row, list: { actions, onMessage } }: Pick<ViewedProps, 'row' | 'list'>) {
  const { application } = row
  return (
    <>
      <div>
        <DefinitionList items={contact(application)} columns />
        {onMessage && application.status !== 'rejected' && (
          <Button
            variant="secondary"
            size="small"
            className="mt-2"
            aria-label={`Write a message to ${fullName(application)}`}
            onClick={() => onMessage([application.id])}
          >
            Write a message
          </Button>
        )}{' '}
        {may('manager') && <CorrectEmail key={application.id} row={row} />}
      </div>
      <History application={application} />
      <ApplicantMails eventId={application.eventId} applicationId={application.id} />
      <NoteEditor row={row} actions={actions} />
    </>
  )
}

/**
 * @param held decisions made here before, whose bar this dialog hides
 * @param onSkip goes on to the next who waits; missing when there is none
 */
export function ApplicationDialog(
  props: ViewedProps & { held: readonly ApplicationRow[]; batch: Batch | null; onSkip?: (() => void) | undefined },
) {
  const { held, batch, onSkip, ...viewed } = props
  const { row, actions, onClose } = viewed
  return (
    <Dialog
      open
      onClose={onClose}
      subject={row.application.id}
      title={fullName(row.application)}
      description={workLine(row.application) ?? undefined}
      footer={
        <>
          <UndoLine held={held} batch={batch} shown={row} actions={actions} />
          <DetailsDecision {...viewed} onSkip={onSkip} />
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
