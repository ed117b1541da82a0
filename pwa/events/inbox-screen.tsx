import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { foldedView, reachability, useObservable } from '../sync/index.ts'
import { idFrom, paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { Applications } from '../applications/manage/applications.tsx'
import { DecisionUndo, heldDecisions, type Batch } from '../applications/manage/decision-buttons.tsx'
import { useMarks } from '../applications/manage/marks.tsx'
import { useDecisions } from '../applications/manage/use-decisions.ts'
import { collectWaiting, countRows } from '../applications/manage/waiting-rows.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useMinute } from '../ui/page/use-now.ts'
import { FirstCopy } from './first-copy.tsx'

/** Everything that waits for a decision, over all events. */
export function InboxScreen() {
  usePageTitle('Waiting for you')
  const { user } = useSession()
  const [search] = useSearchParams()
  const view = useObservable(foldedView)
  const [waitingIn] = useState(collectWaiting)
  const rows = useMemo(() => waitingIn(view), [waitingIn, view])
  const counts = useMemo(() => countRows(rows), [rows])
  const held = useMemo(() => heldDecisions(rows), [rows])
  const unreachable = useObservable(reachability) === 'unreachable'
  const userId = user?.id ?? null
  const decisions = useDecisions(userId)
  const marks = useMarks(userId)
  const actions = useMemo(() => ({ ...decisions, ...marks }), [decisions, marks])
  const [batch, setBatch] = useState<Batch | null>(null)
  const now = useMinute()
  return (
    <Page
      title="Waiting for you"
      back={{ to: paths.dashboard, label: 'Dashboard' }}
      lead={counts.pending > 0 ? `${counts.pending} over all your events, the longest wait first.` : undefined}
    >
      {view.status === 'loading' ? (
        <FirstCopy label="Loading applications" />
      ) : rows.length === 0 ? (
        <EmptyState
          illustration="clear"
          title="Everyone has an answer"
          action={<ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>}
        >
          New applications appear here at once.
        </EmptyState>
      ) : (
        <Applications
          event={null}
          eventNames={view.eventById}
          rows={rows}
          counts={counts}
          actions={actions}
          openId={idFrom(search.get('application') ?? undefined)}
          lastHeld={held[0] ?? null}
          batch={batch}
          onBatch={setBatch}
          now={now}
          asOf={unreachable && view.asOf ? `as of ${formatMoment(view.asOf, now)}` : null}
        />
      )}
      <DecisionUndo held={held} batch={batch} actions={actions} onBatchDone={() => setBatch(null)} />
    </Page>
  )
}
