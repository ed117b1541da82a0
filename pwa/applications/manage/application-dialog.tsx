import { useState } from 'react'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { useOrganizerEvent } from '../../replica/view/use-events.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { Definition } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { formatClock, formatDay } from '../../page/local-time.ts'
import { dash, decisionMark, fullName, initialsOf, workLine } from './applicant.ts'
import { ApplicationMarks, DecisionButtons } from './decision-buttons.tsx'
import type { ApplicantActions, HereToday } from './list-props.ts'
import { ApplicantMails } from '../../mail/mail-log-panel.tsx'
import { HereButton, NoteEditor, StarButton } from './marks.tsx'
import { PublicChanges } from './public-changes.tsx'

const link = 'inline-flex min-h-11 items-center underline underline-offset-4 hover:text-signal break-all'

function contact({ email, phone, linkedinUrl }: ApplicationDocument): Definition[] {
  const items: Definition[] = [
    {
      term: 'Email',
      detail: (
        <a className={link} href={`mailto:${email}`}>
          {email}
        </a>
      ),
    },
    {
      term: 'Phone',
      detail: phone ? (
        <a className={link} href={`tel:${phone}`}>
          {phone}
        </a>
      ) : (
        'No phone provided'
      ),
    },
  ]
  if (linkedinUrl) {
    items.push({
      term: 'LinkedIn',
      detail: (
        <a className={link} href={linkedinUrl} target="_blank" rel="noopener noreferrer nofollow ugc">
          LinkedIn Profile
        </a>
      ),
    })
  }
  return items
}

/** @param asked the event's questions of now; undefined while they are not known */
function answers(application: ApplicationDocument, asked: readonly string[] | undefined): Definition[] {
  return [
    { term: 'Why Beacon', detail: application.whyBeacon || dash },
    { term: 'Experience', detail: application.experience || dash },
    { term: 'Expertise', detail: application.expertise || dash },
    { term: 'Networking Style', detail: application.networkingStyle || dash },
    { term: 'Bio', detail: application.bio || dash },
    ...application.customAnswers.map(({ question, answer }) => ({
      term: asked && !asked.includes(question) ? `${question} (no longer asked)` : question,
      detail: answer || dash,
    })),
  ]
}

/** Every decision about one applicant with its device and time, newest first. */
function History({ application }: { application: ApplicationDocument }) {
  const { decisions } = application
  if (decisions.length === 0) return null
  return (
    <section aria-labelledby="decision-history">
      <h3 id="decision-history" className="mb-2 text-lg">
        Decisions
      </h3>
      <ol className="flex flex-col gap-2">
        {decisions.toReversed().map(({ number, from, to, at, device, by }) => (
          <li key={number} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusMark status={by === 'applicant' ? 'withdrawn' : to} />
            <span className="text-sm text-muted">
              {by === 'applicant' ? 'by the applicant' : from === 'approved' && to === 'rejected' ? 'revoked' : ''}{' '}
              {formatDay(at)}, {formatClock(at)}
              {device && ` · ${device}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Everything one applicant wrote, what the organizer keeps about them, and the decision at the bottom, in the thumb's reach. */
export function ApplicationDialog({
  row,
  actions,
  here,
  onClose,
}: {
  row: ApplicationRow | null
  actions: ApplicantActions
  here: HereToday
  onClose: () => void
}) {
  if (!row) return null
  return <OpenDialog key={row.application.id} row={row} actions={actions} here={here} onClose={onClose} />
}

function OpenDialog({
  row,
  actions,
  here,
  onClose,
}: {
  row: ApplicationRow
  actions: ApplicantActions
  here: HereToday
  onClose: () => void
}) {
  const [tell, setTell] = useState(true)
  const { application } = row
  const event = useOrganizerEvent(application.eventId).row?.event
  const isUndecided = application.status === 'pending' && decisionMark(row) === 'confirmed'
  return (
    <Dialog
      open
      onClose={onClose}
      title={fullName(application)}
      description={workLine(application) ?? undefined}
      footer={
        <>
          {isUndecided && (
            <CheckboxField
              label="Tell the applicant"
              hint="When you reject, a polite e-mail says so."
              look="switch"
              checked={tell}
              onChange={(event) => setTell(event.target.checked)}
            />
          )}
          <DecisionButtons row={row} actions={actions} tell={tell} />
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Avatar initials={initialsOf(application)} />
          <div className="min-w-0 flex-1">
            <ApplicationMarks row={row} />
            <p className="mt-1 text-sm text-muted">
              Applied {formatDay(application.createdAt)}
              {application.withdrawnAt && ` · Withdrawn by the applicant ${formatDay(application.withdrawnAt)}`}
            </p>
          </div>
          <StarButton row={row} actions={actions} />
          {application.status === 'approved' && (
            <div className="grid max-sm:basis-full">
              <HereButton row={row} here={here.of(application)} actions={actions} />
            </div>
          )}
        </div>
        <PublicChanges row={row} actions={actions} />
        <DefinitionList items={contact(application)} columns />
        <NoteEditor row={row} actions={actions} />
        <DefinitionList items={answers(application, event?.customQuestions)} />
        <History application={application} />
        <ApplicantMails eventId={application.eventId} applicationId={application.id} />
      </div>
    </Dialog>
  )
}
