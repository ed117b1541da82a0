import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { isExpected } from '#shared/applications/coming.ts'
import { groupByPost, postsOf, type PostGroup } from '#shared/events/posts.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { WithArchived } from '../applications/manage/archived-applicants.tsx'
import { type Arrivals, arrivalsOf, arrivalWords } from '../applications/manage/arrivals.ts'
import { PostDialog } from '../applications/manage/post-dialog.tsx'
import { fullName, inOrder, people } from '../applications/manage/shown-applicant.ts'
import { idFrom, paths } from '../paths.ts'
import { type ApplicationRow, type EventRow, foldedView } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { may } from '../device/session/acting.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useNow } from '../ui/page/use-now.ts'
import { FirstCopy } from './first-copy.tsx'
import { OrganizerEventPage, usePrintedMoment } from './organizer-event-page.tsx'

/** Shows every post of an event with the Beacons who have it. */
export function BoardScreen() {
  const id = idFrom(useParams()['id'])
  const { status, applicationsOf } = useObservable(foldedView)
  const applications = applicationsOf(id ?? 0)
  const now = useNow()
  const asOf = usePrintedMoment(now)
  const beacons = inOrder(
    applications.filter(({ application }) => application.status === 'approved' && isExpected(application)),
    'name',
  )
  return (
    <OrganizerEventPage
      id={id}
      tabTitle="Who is where"
      named
      page={(row) => ({
        title: 'Who is where',
        lead: row && `${row.event.name} · ${formatEventDate(row.event)} · as of ${asOf}`,
        printable: status === 'ready' && row !== null && postsOf(row.event).length > 0,
      })}
    >
      {({ event }) =>
        status === 'loading' ? (
          <FirstCopy label="Loading Beacons" />
        ) : (
          <WithArchived event={event} now={now} hasNone={applications.length === 0}>
            {postsOf(event).length === 0 ? (
              <EmptyState
                illustration="beacons"
                title="No Posts Yet"
                action={may('manager') && <ButtonLink to={paths.editEvent(event.id)}>Edit Event</ButtonLink>}
              >
                List the places where Beacons stand, such as “Door” or “Bar 7–9 PM”, among the event’s details.
              </EmptyState>
            ) : (
              <Board event={event} beacons={beacons} arrivals={arrivalsOf(event, now)} />
            )}
          </WithArchived>
        )
      }
    </OrganizerEventPage>
  )
}

interface BoardProps {
  readonly event: EventRow['event']
  readonly beacons: readonly ApplicationRow[]
  readonly arrivals: Arrivals
}

function Board({ event, beacons, arrivals }: BoardProps) {
  const [placing, setPlacing] = useState<number | null>(null)
  const groups = groupByPost(event, beacons.map(placed))
  const row = beacons.find(({ application }) => application.id === placing)
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 print:grid-cols-2">
        {groups.map((group) => (
          <PostCard key={group.post ?? ''} group={group} arrivals={arrivals} onPlace={setPlacing} />
        ))}
      </ul>
      {row && <PostDialog event={event} rows={[row]} onClose={() => setPlacing(null)} />}
    </>
  )
}

const placed = (row: ApplicationRow) => ({ row, post: row.application.post })

/** A post without a Beacon is marked. */
function PostCard(props: {
  readonly group: PostGroup<ReturnType<typeof placed>>
  readonly arrivals: Arrivals
  readonly onPlace: (id: number) => void
}) {
  const { group, arrivals, onPlace } = props
  const { post, isListed } = group
  const isGap = group.people.length === 0
  const here = group.people.filter(({ row }) => arrivals.of(row.application)).length
  return (
    <li
      className={`break-inside-avoid rounded-box border bg-base-100 p-4 ${isGap ? 'border-2 border-dashed border-signal' : 'border-base-300'}`}
    >
      <h2 className="flex items-start gap-2 text-lg">
        {post !== null && <MapPin className="mt-1 size-4 shrink-0 text-signal" />}
        <span className="min-w-0 [overflow-wrap:anywhere]">{post ?? 'Without a post'}</span>
      </h2>
      <p className={`text-sm ${isGap ? 'font-medium text-signal' : 'text-muted'}`}>
        {isGap ? 'No one yet' : people(group.people.length)}
        {!isGap && arrivals.offered && ` · ${here} ${arrivalWords(arrivals).short.toLowerCase()}`}
        {!isListed && ' · no longer on the event’s list'}
      </p>
      <ul>
        {group.people.map(({ row }) => (
          <Standing key={row.application.id} row={row} arrivals={arrivals} onPlace={onPlace} />
        ))}
      </ul>
    </li>
  )
}

function Standing(props: {
  readonly row: ApplicationRow
  readonly arrivals: Arrivals
  readonly onPlace: (id: number) => void
}) {
  const { row, arrivals, onPlace } = props
  const { application, syncState } = row
  const isHere = arrivals.of(application)
  return (
    <li className="flex min-h-11 items-center gap-2 border-t border-base-300 first:mt-2">
      <span className="min-w-0 flex-1 py-1">
        <span className="block font-medium [overflow-wrap:anywhere]">{fullName(application)}</span>
        {application.phone && <span className="hidden text-sm print:block">{application.phone}</span>}
      </span>
      {isHere && <span className="text-sm font-medium text-success">{arrivalWords(arrivals).short}</span>}
      {syncState === 'on-this-phone' && <span className="text-sm text-muted">saved here</span>}
      <Button
        variant="ghost"
        size="small"
        flush="end"
        className="no-print"
        aria-label={`Move ${fullName(application)}`}
        onClick={() => onPlace(application.id)}
      >
        Move
      </Button>
    </li>
  )
}
