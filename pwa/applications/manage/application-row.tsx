import { CalendarCheck, CalendarX, NotebookPen, ShieldAlert, type LucideIcon } from 'lucide-react'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import type { ApplicationRow } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice-fields.tsx'
import { fullName } from './shown-applicant.ts'
import type { DecisionActions } from './decision-buttons.tsx'
import { HereButton, type MarkActions } from './marks.tsx'

export type ApplicantActions = DecisionActions & MarkActions

export interface HereToday {
  /** It is a day of the event. */
  readonly offered: boolean
  readonly of: (application: ApplicationDocument) => boolean
}

/** Keeps its identity from tap to tap: only changed rows are rendered. */
export interface ApplicantList {
  readonly now: Date
  readonly actions: ApplicantActions
  readonly selecting: boolean
  readonly onToggle: (id: number) => void
  readonly here: HereToday
  readonly onView: (row: ApplicationRow) => void
  /** Where several events' applicants are listed. */
  readonly eventNameOf?: (eventId: number) => string
}

interface RowProps {
  row: ApplicationRow
  list: ApplicantList
}

/** What it opens gives the focus back to it. */
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

export function HereInList({ row, list: { here, actions, selecting } }: RowProps) {
  const { application } = row
  if (!here.offered || application.status !== 'approved' || selecting) return null
  return <HereButton row={row} here={here.of(application)} actions={actions} compact />
}

export function PrivateNote({ note }: { note: string | null }) {
  if (!note) return null
  return (
    <p className="mt-2 flex gap-2 text-sm text-muted">
      <NotebookPen className="mt-0.5 size-4 shrink-0" />
      <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">
        <span className="sr-only">Private note: </span>
        {note}
      </span>
    </p>
  )
}

/** In one line the note is a tooltip, and read out whole. */
export function NoteMark({ note }: { note: string | null }) {
  return note && <Label icon={NotebookPen} tone="text-muted" text={`Private note: ${note}`} iconOnly />
}

function Label(props: { icon: LucideIcon; tone: string; text: string; iconOnly?: boolean | undefined }) {
  const { icon: Icon, tone, text, iconOnly } = props
  return (
    <span
      title={iconOnly ? text : undefined}
      className={`flex shrink-0 items-center gap-1.5 text-sm font-medium ${tone}`}
    >
      <Icon className="size-4 shrink-0" />
      <span className={iconOnly ? 'sr-only' : ''}>{text}</span>
    </span>
  )
}

interface LabelProps {
  application: ApplicationDocument
  iconOnly?: boolean
}

/** Renders nothing while the Beacon is silent. */
export function ComingLabel({ application: { status, coming }, iconOnly }: LabelProps) {
  if (status !== 'approved' || coming === undefined) return null
  return coming ? (
    <Label icon={CalendarCheck} tone="text-muted" text="Will be there" iconOnly={iconOnly} />
  ) : (
    <Label icon={CalendarX} tone="text-error" text="Can’t come" iconOnly={iconOnly} />
  )
}

/** The Beacon changed public text, and the organizer has not agreed yet. */
export function ChangedLabel({ application, iconOnly }: LabelProps) {
  if (!application.publicChanges) return null
  return <Label icon={ShieldAlert} tone="text-signal" text="Changed after approval" iconOnly={iconOnly} />
}
