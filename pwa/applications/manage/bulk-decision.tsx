import { useState } from 'react'
import { type Decision, isKeptQuiet } from '#shared/applications/decide.ts'
import { type ApplicationRow, describeEntry } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonRow, ButtonLink } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { StatusBadge, SyncLabel } from '../../ui/status-badge.tsx'
import {
  decisionEntry,
  decisionSyncState,
  decisionWord,
  fullName,
  isUndoable,
  people,
  possibleDecisions,
  shownStatus,
} from './shown-applicant.ts'
import type { ApplicantList } from './application-row.tsx'
import type { Batch } from './decision-buttons.tsx'

interface BulkPlan {
  readonly rows: readonly ApplicationRow[]
  /** Counts chosen ones that are decided so already, withdrawn, or in need of attention. */
  readonly unchanged: number
  /** Counts those of `rows` that are approved now. */
  readonly revoked: number
  readonly emails: number
}

/**
 * @param tell whether pending applicants get a mail about a rejection; all others always do
 * @param isOver whether the event that an application is for has ended
 */
export function bulkPlan(
  chosen: readonly ApplicationRow[],
  to: Decision,
  tell: boolean,
  isOver: ApplicantList['isOver'],
): BulkPlan {
  const rows = chosen.filter(
    (row) =>
      decisionSyncState(row) !== 'needs-attention' &&
      possibleDecisions(row.application, isOver(row.application)).includes(to),
  )
  const revoked = to === 'rejected' ? rows.filter(({ application }) => application.status === 'approved').length : 0
  return {
    rows,
    unchanged: chosen.length - rows.length,
    revoked,
    emails: rows.filter(({ application }) => !isKeptQuiet(application, { status: to, tellApplicant: tell })).length,
  }
}

const emails = (count: number) =>
  count === 0 ? 'No emails will be sent' : count === 1 ? '1 email will be sent' : `${count} emails will be sent`
const named = 12

export function BulkSheet(props: {
  chosen: readonly ApplicationRow[]
  to: Decision
  isOver: ApplicantList['isOver']
  onClose: () => void
  onConfirm: (rows: readonly ApplicationRow[], tell: boolean) => void
}) {
  const { chosen, to, isOver, onClose, onConfirm } = props
  const [tell, setTell] = useState(true)
  const [pending, setPending] = useState(false)
  const plan = bulkPlan(chosen, to, tell, isOver)
  const verb = to === 'approved' ? 'Approve' : 'Reject'
  const count = plan.rows.length
  const waiting = count - plan.revoked
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title={count === 0 ? 'Nothing to change' : `${verb} ${people(count)}?`}
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          {count > 0 && (
            <Button
              variant={to === 'approved' ? 'primary' : 'danger'}
              pending={pending}
              pendingText="Saving..."
              onClick={() => {
                setPending(true)
                onConfirm(plan.rows, tell)
              }}
            >
              {verb} {count}
            </Button>
          )}
        </ButtonRow>
      }
    >
      <div className="flex flex-col gap-4">
        {count > 0 && (
          <>
            <p className="text-xl font-semibold tabular-nums">{emails(plan.emails)}</p>
            <p>{consequence(to, plan)}</p>
          </>
        )}
        {to === 'rejected' && waiting > 0 && (
          <CheckboxField
            label={waiting === 1 ? 'Tell the applicant' : 'Tell the applicants'}
            hint="A short, polite email. Off: they hear nothing."
            look="switch"
            checked={tell}
            onChange={(event) => setTell(event.target.checked)}
          />
        )}
        {plan.unchanged > 0 && (
          <p className="text-sm text-muted">
            {plan.unchanged} of the {chosen.length} selected {plan.unchanged === 1 ? 'stays' : 'stay'} as{' '}
            {plan.unchanged === 1 ? 'it is' : 'they are'}.
          </p>
        )}
        {count > 0 && (
          <p className="text-sm text-muted">
            {plan.rows
              .slice(0, named)
              .map(({ application }) => fullName(application))
              .join(', ')}
            {count > named && ` and ${count - named} more`}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function consequence(to: Decision, { rows, revoked }: BulkPlan): string {
  const undo = 'You can undo everything for 8 seconds, or longer without a network.'
  if (to === 'approved') {
    return `${rows.length === 1 ? 'This person becomes a Beacon' : 'They become Beacons'} and ${rows.length === 1 ? 'appears' : 'appear'} on the event page. ${undo}`
  }
  if (revoked === 0) return undo
  const who = revoked === rows.length ? 'All of them are' : `${revoked} of them ${revoked === 1 ? 'is' : 'are'}`
  return `${rows.length === 1 ? 'This person is' : who} approved now: the approval is revoked, and they always get an email. ${undo}`
}

export function BulkResults(props: {
  batch: Batch
  byId: ReadonlyMap<number, ApplicationRow>
  onUndo: (rows: readonly ApplicationRow[]) => void
  onClose: () => void
}) {
  const { batch, byId, onUndo, onClose } = props
  const rows = batch.ids.flatMap((id) => byId.get(id) ?? [])
  const undoable = rows.filter((row) => isUndoable(row) && batch.seqs.includes(decisionEntry(row)?.seq ?? -1))
  const count = rows.filter(({ application }) => application.status === batch.to).length
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title={`${decisionWord(batch.to)} ${people(count)}`}
      footer={
        <ButtonRow>
          {undoable.length > 0 && (
            <Button variant="secondary" onClick={() => onUndo(undoable)}>
              Undo {undoable.length > 1 ? 'All' : ''}
            </Button>
          )}
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </ButtonRow>
      }
    >
      <ul aria-label="Results" className="-my-3 divide-y divide-base-300">
        {rows.map((row) => (
          <Result key={row.application.id} row={row} batch={batch} />
        ))}
      </ul>
    </Dialog>
  )
}

function Result({ row, batch }: { row: ApplicationRow; batch: Batch }) {
  const { application } = row
  const entry = decisionEntry(row)
  const mine = entry && batch.seqs.includes(entry.seq) ? entry : null
  const refused = mine?.state === 'parked' ? mine.refusal?.problem.message : undefined
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="min-w-40 flex-1 font-medium">{fullName(application)}</span>
      {mine ? (
        <SyncLabel state={describeEntry(mine).syncState} detail={refused} />
      ) : application.status === batch.to ? (
        <SyncLabel state="confirmed" />
      ) : (
        <>
          <span className="text-sm text-muted">taken back</span>
          <StatusBadge status={shownStatus(application)} />
        </>
      )}
      {refused && (
        <ButtonLink to={paths.sync} variant="danger-quiet" size="small">
          See why
        </ButtonLink>
      )}
    </li>
  )
}
