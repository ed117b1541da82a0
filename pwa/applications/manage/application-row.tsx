import {
  CalendarCheck,
  CalendarX,
  NotebookPen,
  ShieldAlert,
  type LucideIcon,
  Hourglass,
  MapPin,
  UserPlus,
} from 'lucide-react'
import { saysComing } from '#shared/applications/coming.ts'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import type { ApplicationRow } from '../../sync/index.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice-fields.tsx'
import type { Arrivals } from './arrivals.ts'
import { comingWords, fullName } from './shown-applicant.ts'
import type { DecisionActions } from './decision-buttons.tsx'
import { HereButton, type MarkActions } from './marks.tsx'
import type { TrackRecordOf } from './presence/track-record.ts'

export type ApplicantActions = DecisionActions & MarkActions

/** Keeps its identity from tap to tap: only changed rows are rendered. */
export interface ApplicantList {
  readonly now: Date
  readonly actions: ApplicantActions
  readonly selecting: boolean
  readonly onToggle: (id: number) => void
  readonly arrivals: Arrivals
  /** Tells whether the event that an application is for has ended. */
  readonly isOver: (application: ApplicationDocument) => boolean
  /** Tells what an applicant did at earlier events. */
  readonly trackRecordOf: TrackRecordOf
  readonly onView: (row: ApplicationRow) => void
  /** The list itself says this of everybody's status, so that no card repeats it. */
  readonly toldStatus: string
  /** A list of several events' applicants needs it. */
  readonly eventNameOf?: (eventId: number) => string
  /** Writes to these people; missing where applicants of several events are listed. */
  readonly onMessage?: ((ids: readonly number[]) => void) | undefined
  /** Chooses these people's post; it is missing where the event has no posts. */
  readonly onPlace?: ((ids: readonly number[]) => void) | undefined
}

interface IconOnly {
  iconOnly?: boolean
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
      flush="end"
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

export function HereInList({ row, list: { arrivals, actions, selecting } }: RowProps) {
  if (!arrivals.offered || row.application.status !== 'approved' || selecting) return null
  return <HereButton row={row} arrivals={arrivals} actions={actions} compact />
}

/**
 * Shows the post of an approved Beacon, and the press that changes it. In one line of a table the post is a tooltip.
 */
export function PostInList({ row: { application }, list: { onPlace, selecting }, iconOnly }: RowProps & IconOnly) {
  if (!onPlace || application.status !== 'approved' || selecting) return null
  const post = application.post ?? 'No post'
  const label = `Post of ${fullName(application)}: ${post}`
  const tone = application.post ? '' : 'text-muted'
  const place = () => onPlace([application.id])
  if (iconOnly)
    return (
      <IconButton label={label} title={post} className={tone} onClick={place}>
        <MapPin className={`size-5 ${application.post ? 'fill-current/20' : ''}`} />
      </IconButton>
    )
  return (
    <Button
      variant="ghost"
      size="small"
      className={`-mr-2 max-w-1/2 min-w-0 shrink px-2 ${tone}`}
      icon={<MapPin className="size-4 shrink-0" />}
      aria-label={label}
      onClick={place}
    >
      <span className="truncate">{post}</span>
    </Button>
  )
}

export function PrivateNote({ note }: { note: string | null }) {
  if (!note) return null
  return (
    <p className="flex gap-2 text-muted">
      <NotebookPen className="mt-0.5 size-4 shrink-0" />
      <span className="line-clamp-1 min-w-0 [overflow-wrap:anywhere]">
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

interface LabelProps extends IconOnly {
  application: ApplicationDocument
}

/** Renders nothing while the Beacon is silent, or once they came although they had said that they can't. */
export function ComingLabel({ application, isOver, iconOnly }: LabelProps & { isOver: boolean }) {
  const { status, coming } = application
  if (status !== 'approved' || coming === undefined || coming !== saysComing(application)) return null
  const words = comingWords(isOver)
  return coming ? (
    <Label icon={CalendarCheck} tone="text-muted" text={words.yes} iconOnly={iconOnly} />
  ) : (
    <Label icon={CalendarX} tone="text-error" text={words.no} iconOnly={iconOnly} />
  )
}

/** Says what was unusual about the way to the list: after the deadline, or without applying. */
export function HowAppliedLabel({ application, iconOnly }: LabelProps) {
  if (application.walkedIn) return <Label icon={UserPlus} tone="text-muted" text="Walk-in" iconOnly={iconOnly} />
  if (!application.sentLate) return null
  return <Label icon={Hourglass} tone="text-muted" text="Sent late" iconOnly={iconOnly} />
}

/** The Beacon changed public text, and the organizer has not agreed yet. */
export function ChangedLabel({ application, iconOnly }: LabelProps) {
  if (!application.publicChanges) return null
  return <Label icon={ShieldAlert} tone="text-signal" text="Changed after approval" iconOnly={iconOnly} />
}
