import type { ApplicationDocument } from '#shared/api/replication.ts'
import type { ApplicationRow } from '../../replica/rows.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { Definition } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatClock, formatDay } from '../local-time.ts'
import { dash, fullName, initialsOf, workLine } from './applicant.ts'
import { ApplicationMarks, DecisionButtons } from './decision-buttons.tsx'
import type { DecisionActions } from './decision-buttons.tsx'

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

function answers(application: ApplicationDocument): Definition[] {
  return [
    { term: 'Why Beacon', detail: application.whyBeacon || dash },
    { term: 'Experience', detail: application.experience || dash },
    { term: 'Expertise', detail: application.expertise || dash },
    { term: 'Networking Style', detail: application.networkingStyle || dash },
    { term: 'Bio', detail: application.bio || dash },
    ...application.customAnswers.map(({ question, answer }) => ({ term: question, detail: answer || dash })),
  ]
}

function decided({ decidedAt, decidedOn, status }: ApplicationDocument): string | null {
  if (decidedAt === null || status === 'pending') return null
  const word = status === 'approved' ? 'Approved' : 'Rejected'
  return `${word} ${formatDay(decidedAt)}, ${formatClock(decidedAt)}${decidedOn ? ` on ${decidedOn}` : ''}`
}

/** Everything one applicant wrote, with the decision at the bottom, in the thumb's reach. */
export function ApplicationDialog({
  row,
  actions,
  onClose,
}: {
  row: ApplicationRow | null
  actions: DecisionActions
  onClose: () => void
}) {
  if (!row) return null
  const { application } = row
  const history = decided(application)
  return (
    <Dialog
      open
      onClose={onClose}
      title={fullName(application)}
      description={workLine(application) ?? undefined}
      footer={<DecisionButtons row={row} actions={actions} />}
    >
      <div className="flex flex-col gap-6">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Avatar initials={initialsOf(application)} />
          <div className="min-w-0">
            <ApplicationMarks row={row} />
            <p className="mt-1 text-sm text-muted">
              Applied {formatDay(application.createdAt)}
              {history && ` · ${history}`}
              {application.withdrawnAt && ` · Withdrawn by the applicant ${formatDay(application.withdrawnAt)}`}
            </p>
          </div>
        </div>
        <DefinitionList items={contact(application)} columns />
        <DefinitionList items={answers(application)} />
      </div>
    </Dialog>
  )
}
