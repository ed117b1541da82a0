import type { ReactNode } from 'react'
import { createEvent, targetOf } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { useOutbox } from '../../device/session/use-outbox.ts'
import { ButtonLink } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Page } from '../page.tsx'

/** Leads to the repair of an event that was published here and refused. */
export function MissingEvent({ id, title, children }: { id: number | null; title: string; children: ReactNode }) {
  const { items } = useOutbox()
  const refused = items.find(
    ({ entry, syncState }) =>
      syncState === 'needs-attention' && entry.mutation === createEvent.name && targetOf(entry)?.key === String(id),
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
          {children}
        </EmptyState>
      )}
    </Page>
  )
}
