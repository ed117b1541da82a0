import { useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router-dom'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { OwnApplications } from '../own-application.ts'
import { usePageTitle } from '../../page/page-title.ts'
import { useStartAtTop } from '../../page/start-at-top.ts'
import { CorrectionForm } from './correction-form.tsx'
import { hashOf } from './link-token.ts'
import { OwnPageCard } from './own-page-card.tsx'
import { useOwnPage, type OwnPage as Found } from './use-own-page.ts'

interface OwnPageProps {
  readonly token: string
  readonly event: PublicEvent
  readonly own: OwnApplications
  readonly onAnother: ((handedOn: boolean) => void) | undefined
}

/** An applicant's own page: found by the link, or because this device sent the application. */
export function OwnPage({ token, event, own, onAnother }: OwnPageProps) {
  const page = useOwnPage(token, event.id, own)
  const [correcting, setCorrecting] = useState(false)
  usePageTitle(`Your application for ${event.name}`)
  useStartAtTop(page.status === 'loading' ? 'loading' : correcting ? 'correcting' : 'card')
  useNews(page)

  if (page.status !== 'ready') return <Absent event={event} status={page.status} onReload={page.reload} />
  const { state, asOf, stale, reload } = page
  const { eventId } = state.shown
  // A link with another event's number in it still finds its application.
  if (eventId !== event.id) return <Navigate to={paths.apply(eventId) + hashOf(token)} replace />
  const opened = { token, event, application: state.shown }
  if (correcting) {
    return (
      <CorrectionForm
        opened={opened}
        refused={state.refused}
        onBack={() => setCorrecting(false)}
        onSaved={async () => {
          await own.refresh()
          setCorrecting(false)
        }}
      />
    )
  }
  return (
    <OwnPageCard
      opened={opened}
      state={state}
      asOf={asOf}
      stale={stale}
      onReload={reload}
      onCorrect={() => setCorrecting(true)}
      onChanged={own.refresh}
      onAnother={onAnother}
      entries={own.disk.entries}
      others={own.sent.filter((other) => other.token !== token)}
    />
  )
}

/** Says that a change which waited on this phone has arrived. */
function useNews(page: Found): void {
  const waiting = page.status === 'ready' && (page.state.correcting ?? page.state.withdrawing) !== null
  const refused = page.status === 'ready' && page.state.refused !== null
  const before = useRef(false)
  useEffect(() => {
    if (before.current && !waiting && !refused) announce('The organizer has your change.')
    before.current = waiting
  }, [waiting, refused])
}

/** No application to show (yet): it is being fetched, there is none under this link, or it has never been here. */
function Absent({
  event,
  status,
  onReload,
}: {
  event: PublicEvent
  status: 'loading' | 'missing' | 'unreachable'
  onReload: () => void
}) {
  if (status === 'loading') {
    return (
      <Page width="narrow" back={{ to: paths.event(event.id), label: event.name }}>
        <Skeleton shape="detail" label="Loading your application" />
      </Page>
    )
  }
  if (status === 'missing') {
    return (
      <EmptyState
        illustration="lost"
        level={1}
        title="Application Not Found"
        action={<ButtonLink to={paths.event(event.id)}>Return to Event</ButtonLink>}
      >
        There is no application under this link. It may have been cut off on its way to you.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      illustration="offline"
      level={1}
      title="This application is not on this device yet"
      action={<Button onClick={onReload}>Try Again</Button>}
    >
      Beaconry cannot be reached. Once this page has been opened here, it is there without a network too.
    </EmptyState>
  )
}
