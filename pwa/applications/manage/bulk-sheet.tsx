import { useState } from 'react'
import type { Decision } from '#shared/applications/application-status.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { Button, ButtonRow } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fullName } from './applicant.ts'
import { bulkPlan } from './bulk-plan.ts'
import type { BulkPlan } from './bulk-plan.ts'

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`)
const emails = (count: number) =>
  count === 0 ? 'No e-mail leaves' : count === 1 ? '1 e-mail leaves' : `${count} e-mails leave`
const named = 12

/** Says before a decision about many how many people it changes and how many e-mails leave. */
export function BulkSheet({
  chosen,
  to,
  onClose,
  onConfirm,
}: {
  chosen: readonly ApplicationRow[]
  to: Decision
  onClose: () => void
  onConfirm: (rows: readonly ApplicationRow[], tell: boolean) => void
}) {
  const [tell, setTell] = useState(true)
  const [pending, setPending] = useState(false)
  const plan = bulkPlan(chosen, to, tell)
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
            hint="A short, polite e-mail. Off: they hear nothing."
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
  const undo = 'For 8 seconds, longer without a network, one Undo takes all of it back.'
  if (to === 'approved') {
    return `${rows.length === 1 ? 'This person becomes a Beacon' : 'They become Beacons'} and ${rows.length === 1 ? 'appears' : 'appear'} on the event page. ${undo}`
  }
  if (revoked === 0) return undo
  const who = revoked === rows.length ? 'All of them are' : `${revoked} of them ${revoked === 1 ? 'is' : 'are'}`
  return `${rows.length === 1 ? 'This person is' : who} approved now: the approval is revoked, and always told. ${undo}`
}
