import { CalendarCheck, CalendarX, NotebookPen, ShieldAlert } from 'lucide-react'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import type { ApplicationRow } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice-fields.tsx'
import { fullName } from './shown-applicant.ts'
import type { DecisionActions } from './decision-buttons.tsx'
import { HereButton, type MarkActions } from './marks.tsx'

export type ApplicantActions = DecisionActions & MarkActions

export interface HereToday {
  /** It is a day of the event, so that the list offers it; the dialog always does. */
  readonly offered: boolean
  readonly of: (application: ApplicationDocument) => boolean
}

/** Keeps its identity from tap to tap, so that only changed rows are rendered. */
export interface ApplicantList {
  readonly now: Date
  readonly actions: ApplicantActions
  readonly selecting: boolean
  readonly onToggle: (id: number) => void
  readonly here: HereToday
  readonly onView: (row: ApplicationRow) => void
}

interface RowProps {
  row: ApplicationRow
  list: ApplicantList
}

/** The dialog it opens gives the focus back to it. */
export function ViewButton({ row, list }: RowProps) {
  return (
    <Button
      variant="ghost"
      size="small"
      data-view={row.application.id}
      aria-label={`View ${fullName(row.application)}`}
      onClick={() => list.onView(row)}
    >
      View
    </Button>
  )
}

export function SelectBox(props: {
  application: ApplicationDocument
  list: ApplicantList
  chosen: boolean
  className: string
}) {
  const { application, list, chosen, className } = props
  return (
    <Checkbox
      label={`Select ${fullName(application)}`}
      checked={chosen}
      onChange={() => list.onToggle(application.id)}
      className={className}
    />
  )
}

/** Hidden while rows are being selected. */
export function HereInList({ row, list: { here, actions, selecting } }: RowProps) {
  const { application } = row
  if (!here.offered || application.status !== 'approved' || selecting) return null
  return <HereButton row={row} here={here.of(application)} actions={actions} compact />
}

export function PrivateNote(props: {
  note: string | null
  as: 'p' | 'span'
  className: string
  textClassName?: string
}) {
  const { note, as: Tag, className, textClassName = '' } = props
  if (!note) return null
  return (
    <Tag className={`flex text-sm text-muted ${className}`}>
      <NotebookPen aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className={`line-clamp-2 ${textClassName}`}>
        <span className="sr-only">Private note: </span>
        {note}
      </span>
    </Tag>
  )
}

/** What an approved Beacon has said; nothing while silent. */
export function ComingLabel({ application: { status, coming } }: { application: ApplicationDocument }) {
  if (status !== 'approved' || coming === undefined) return null
  const Icon = coming ? CalendarCheck : CalendarX
  return (
    <span className={`flex items-center gap-1.5 text-sm font-medium ${coming ? 'text-muted' : 'text-error'}`}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {coming ? 'Will be there' : 'Can’t come'}
    </span>
  )
}

/** An approved Beacon has changed public text, and the organizer has not agreed yet. */
export function ChangedLabel({ application }: { application: ApplicationDocument }) {
  if (!application.publicChanges) return null
  return (
    <span className="flex items-center gap-1.5 text-sm font-medium text-signal">
      <ShieldAlert aria-hidden="true" className="size-4 shrink-0" />
      Changed after approval
    </span>
  )
}
