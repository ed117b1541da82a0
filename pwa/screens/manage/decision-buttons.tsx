import { Check, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { moveLabel } from '#shared/domain/application-status.ts'
import type { Decision } from '#shared/domain/application-status.ts'
import { paths } from '../../paths.ts'
import type { ApplicationRow } from '../../replica/rows.ts'
import { Button, ButtonLink, ButtonRow } from '../../ui/button.tsx'
import { StatusMark, SyncMark } from '../../ui/status-mark.tsx'
import { fullName, isUndoable, possibleDecisions, shownStatus } from './applicant.ts'

export interface DecisionActions {
  onDecide: (row: ApplicationRow, to: Decision) => void
  onUndo: (row: ApplicationRow) => void
}

/** Side by side: equally wide under a thumb, as wide as their words in a table. */
function Row({ compact, children }: { compact: boolean; children: ReactNode }) {
  return compact ? <span className="flex gap-2">{children}</span> : <ButtonRow>{children}</ButtonRow>
}

/**
 * What can be decided about one applicant. A decision that has not left is answered by Undo in the very same place, so
 * nothing moves under the finger.
 */
export function DecisionButtons({
  row,
  actions,
  compact = false,
}: {
  row: ApplicationRow
  actions: DecisionActions
  compact?: boolean
}) {
  const { application } = row
  const name = fullName(application)
  const size = compact ? 'small' : 'normal'
  if (isUndoable(row)) {
    return (
      <Row compact={compact}>
        <Button
          variant="secondary"
          size={size}
          icon={<Undo2 aria-hidden="true" className="size-4" />}
          aria-label={`Undo for ${name}`}
          onClick={() => actions.onUndo(row)}
        >
          Undo
        </Button>
      </Row>
    )
  }
  if (row.mark === 'needs-attention') {
    return (
      <Row compact={compact}>
        <ButtonLink
          to={paths.sync}
          variant="danger-quiet"
          size={size}
          aria-label={`See what needs attention for ${name}`}
        >
          See why
        </ButtonLink>
      </Row>
    )
  }
  const decisions = possibleDecisions(application)
  if (decisions.length === 0) return null
  return (
    <Row compact={compact}>
      {decisions.map((to) => {
        const label = moveLabel(application.status, to)
        const Icon = to === 'approved' ? Check : X
        return (
          <Button
            key={to}
            variant={to === 'approved' && application.status === 'pending' ? 'primary' : 'secondary'}
            size={size}
            icon={compact ? undefined : <Icon aria-hidden="true" className="size-4" />}
            aria-label={`${label} ${name}`}
            onClick={() => actions.onDecide(row, to)}
          >
            {label}
          </Button>
        )
      })}
    </Row>
  )
}

/** Status in a word and a shape, and below it where the newest change is on its way; quiet when all is confirmed. */
export function ApplicationMarks({ row }: { row: ApplicationRow }) {
  const { application, mark } = row
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusMark status={shownStatus(application)} unconfirmed={mark !== 'confirmed'} />
      {mark === 'needs-attention' && (
        <Link to={paths.sync} className="touch-target inline-flex items-center hover:underline">
          <SyncMark state={mark} />
        </Link>
      )}
      {(mark === 'on-this-phone' || mark === 'sent') && <SyncMark state={mark} />}
    </span>
  )
}
