import { Printer } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { User } from '#shared/accounts/account-calls.ts'
import { formatMoment } from '../ui/page/local-time.ts'
import { usePageTitle } from '../ui/page/page-title.ts'
import { paths } from '../paths.ts'
import {
  type EventRow,
  foldedView,
  reachability,
  useOrganizerEvent,
  mutations,
  useOutbox,
  describeEntry,
} from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { useSession } from '../device/session/session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'

const notFound = 'It does not exist, was deleted, or belongs to someone else.'

/** Leads to the repair of an event that was published here and refused. */
export function EventNotFound(props: { id: number | null; title?: string | undefined; text?: string | undefined }) {
  const { id, title = 'Event Not Found', text = notFound } = props
  const { items } = useOutbox()
  const refused = items.find(
    ({ entry, syncState }) =>
      syncState === 'needs-attention' &&
      entry.mutation === mutations.createEvent.name &&
      describeEntry(entry).target?.key === String(id),
  )
  return (
    <Page>
      {refused ? (
        <EmptyState
          illustration="inbox"
          title="Not published yet"
          level={1}
          action={<ButtonLink to={paths.sync}>See what needs attention</ButtonLink>}
        >
          {refused.reason} Nothing you wrote is lost.
        </EmptyState>
      ) : (
        <EmptyState
          illustration="lost"
          title={title}
          level={1}
          action={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}
        >
          {text}
        </EmptyState>
      )}
    </Page>
  )
}

/** Writes until when a page to print is true: without a network, that is until this device's copy was made. */
export function usePrintedMoment(now: Date): string {
  const { asOf } = useObservable(foldedView)
  const unreachable = useObservable(reachability) === 'unreachable'
  return formatMoment(unreachable && asOf ? asOf : now.toISOString(), now)
}

interface PageHead extends Pick<ComponentProps<typeof Page>, 'title' | 'lead' | 'width'> {
  readonly printable?: boolean
}

/**
 * Frames a page about one of the organizer's events.
 * @param id null when the address holds none
 * @param tabTitle `named` appends the event's name
 */
export function OrganizerEventPage(props: {
  id: number | null
  tabTitle: string
  named?: boolean
  missing?: { title: string; text?: string } | undefined
  page: (row: EventRow | null) => PageHead
  children: (row: EventRow, user: User) => ReactNode
}) {
  const { id, tabTitle, named = false, missing, page, children } = props
  const { user } = useSession()
  const { status, row } = useOrganizerEvent(id ?? 0)
  usePageTitle(named && row ? `${tabTitle}: ${row.event.name}` : tabTitle)
  if (id === null || status === 'missing' || !user) return <EventNotFound id={id} {...missing} />
  const { printable, ...head } = page(row)
  return (
    <Page
      {...head}
      back={{ to: paths.manageEvent(id), label: 'Manage Event' }}
      titleAside={
        printable && (
          <Button icon={<Printer className="size-4" />} onClick={() => window.print()}>
            Print
          </Button>
        )
      }
    >
      {row ? children(row, user) : <Skeleton shape="detail" label="Loading the event" />}
    </Page>
  )
}
