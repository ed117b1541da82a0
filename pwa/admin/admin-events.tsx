import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import type { AdminEvent } from '#shared/admin/admin-event-calls.ts'
import { longestReason } from '#shared/admin/take-down.ts'
import { formatDateRange } from '#shared/time/date-range.ts'
import { paths } from '../paths.ts'
import { call } from '../sync/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonRow } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { wordFinder } from '#shared/text/matching.ts'
import { SearchField, TextareaField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { ShowMore } from './show-more.tsx'

const stateOf = ({ takenDown, isUpcoming }: AdminEvent) => (takenDown ? 'Taken down' : isUpcoming ? 'Upcoming' : 'Past')

/** Keeps those in which every word is found in name, organizer, date or state, the latest first. */
export function arrangeEvents(events: readonly AdminEvent[], search: string): readonly AdminEvent[] {
  const isFound = wordFinder(search)
  return events
    .filter((event) => {
      const { name, organizer, startDate, endDate } = event
      return isFound(name, organizer.username, startDate, formatDateRange(startDate, endDate), stateOf(event))
    })
    .sort((one, other) => other.startDate.localeCompare(one.startDate) || one.id - other.id)
}

const shownAtOnce = 100

export function AdminEvents({ events, onChanged }: { events: readonly AdminEvent[]; onChanged: () => void }) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(shownAtOnce)
  const [taking, setTaking] = useState<AdminEvent | null>(null)
  const found = useMemo(() => arrangeEvents(events, search), [events, search])

  return (
    <>
      <SearchField
        className="mb-4 w-full sm:max-w-sm"
        label="Search events"
        placeholder="Name, organizer, date or state"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <output className="mb-3 block text-sm text-muted">
        {found.length === events.length
          ? counted(events.length, 'event')
          : `${found.length} of ${counted(events.length, 'event')}`}
      </output>
      {found.length === 0 ? (
        <Card>
          <EmptyState illustration="lost" title="No events found" level={3}>
            {events.length === 0 ? 'No event has been published yet.' : 'No event matches what you search for.'}
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label="Events of all organizers" className="grid gap-3 lg:grid-cols-2">
          {found.slice(0, shown).map((event) => (
            <EventLine key={event.id} event={event} onTakeDown={() => setTaking(event)} onChanged={onChanged} />
          ))}
        </ul>
      )}
      {found.length > shown && <ShowMore onMore={() => setShown(shown + shownAtOnce)} />}
      {taking && <TakeDownDialog key={taking.id} event={taking} onClose={() => setTaking(null)} onDone={onChanged} />}
    </>
  )
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

interface EventLineProps {
  readonly event: AdminEvent
  readonly onTakeDown: () => void
  readonly onChanged: () => void
}

function EventLine({ event, onTakeDown, onChanged }: EventLineProps) {
  const { id, name, organizer, startDate, endDate, applicationCount, takenDown } = event
  const state = stateOf(event)
  const [pending, run] = useAction('It was not put back')
  const putBack = () =>
    run(async () => {
      await call('putEventBack', { params: { id } })
      toast({ title: 'The event is back', description: name })
      onChanged()
    })
  return (
    <Card as="li" padding="tight" data-row={id}>
      <div className="flex items-center justify-between gap-3">
        <h3 className="min-w-0 text-lg leading-snug break-words">
          {takenDown ? (
            name
          ) : (
            <Link
              to={paths.event(id)}
              className="inline-flex min-h-11 items-center hover:underline hover:underline-offset-4"
            >
              {name}
            </Link>
          )}
        </h3>
        <Badge tone={takenDown ? 'error' : state === 'Upcoming' ? 'success' : 'quiet'}>{state}</Badge>
      </div>
      <p className="text-sm text-muted">
        {formatDateRange(startDate, endDate)} · {counted(applicationCount, 'application')}
      </p>
      {takenDown && <p className="mt-2 text-sm break-words">{takenDown.reason}</p>}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <Link
          to={paths.adminAccount(organizer.id)}
          className="inline-flex min-h-11 min-w-11 items-center break-words underline decoration-edge underline-offset-4"
        >
          {organizer.username}
        </Link>
        {takenDown ? (
          <Button
            variant="secondary"
            size="small"
            pending={pending}
            pendingText="Putting back..."
            aria-label={`Put back: ${name}`}
            onClick={() => void putBack()}
          >
            Put back
          </Button>
        ) : (
          <Button variant="danger-quiet" size="small" aria-label={`Take down: ${name}`} onClick={onTakeDown}>
            Take down
          </Button>
        )}
      </div>
    </Card>
  )
}

function TakeDownDialog(props: { event: AdminEvent; onClose: () => void; onDone: () => void }) {
  const { event, onClose, onDone } = props
  const [reason, setReason] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [pending, run] = useAction('It was not taken down')
  const isMissing = reason.trim() === ''

  async function takeDown() {
    setAsked(true)
    if (isMissing) return
    await run(async () => {
      await call('takeEventDown', { params: { id: event.id }, body: { reason } })
      toast({ title: 'The event is taken down', description: `${event.organizer.username} can read why.` })
      onClose()
      onDone()
    })
  }

  return (
    <Dialog
      open
      shape="box"
      onClose={onClose}
      title={`Take down ${event.name}?`}
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" pending={pending} pendingText="Taking down..." onClick={() => void takeDown()}>
            Take down
          </Button>
        </ButtonRow>
      }
    >
      <p className="mb-4">
        Guests no longer find it, and it takes no applications. Its organizer keeps it, reads your reason, and cannot
        put it back.
      </p>
      <TextareaField
        label="Reason"
        hint="Shown to the organizer, and sent to them by mail."
        error={isAsked && isMissing ? 'Please say why' : undefined}
        maxLength={longestReason}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </Dialog>
  )
}
