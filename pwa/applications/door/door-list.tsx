import { useDeferredValue, useMemo, useState } from 'react'
import { isExpected } from '#shared/applications/coming.ts'
import { postsOf } from '#shared/events/posts.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { useSession } from '../../device/session/session.ts'
import type { ApplicationRow } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { SyncLabel } from '../../ui/status-badge.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { arrivalsOf, hereLine } from '../manage/arrivals.ts'
import { HereButton, useMarks } from '../manage/marks.tsx'
import { PostDialog } from '../manage/post-dialog.tsx'
import { byFullName, comingWords, fullName, search } from '../manage/shown-applicant.ts'
import { WalkInButton } from '../manage/walk-in.tsx'

/** Lists approved Beacons for a helper at the door: who is here, who has which post, and walk-ins. */
export function DoorList({ event, rows }: { event: EventDocument; rows: readonly ApplicationRow[] }) {
  const now = useNow()
  const arrivals = useMemo(() => arrivalsOf(event, now), [event, now])
  const marks = useMarks(useSession().user?.id ?? null)
  const [text, setText] = useState('')
  const [placing, setPlacing] = useState<ApplicationRow | null>(null)
  const wanted = useDeferredValue(text)
  const approved = useMemo(() => rows.filter(({ application }) => application.status === 'approved'), [rows])
  const found = useMemo(
    () => byFullName(approved.filter(({ application }) => search(wanted)(application))),
    [approved, wanted],
  )
  const hasPosts = postsOf(event).length > 0
  return (
    <>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0 flex-[1_1_16rem] sm:max-w-sm">
          <SearchField
            label="Search Beacons"
            placeholder="Name or company"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        <div className="flex items-center gap-4">
          {arrivals.offered && (
            <p className="text-muted tabular-nums">
              {hereLine(
                approved.map(({ application }) => application),
                arrivals,
              )}
            </p>
          )}
          <WalkInButton event={event} now={now} />
        </div>
      </div>
      {found.length === 0 ? (
        <EmptyState illustration="hall" title={approved.length === 0 ? 'No approved Beacons yet' : 'No Beacon found'}>
          {approved.length === 0 ? 'They show here as soon as they are approved.' : 'Try another part of the name.'}
        </EmptyState>
      ) : (
        <ul aria-label="Beacons">
          {found.map((row) => (
            <li
              key={row.application.id}
              className="flex items-center gap-x-4 border-t border-base-300 py-2 first:border-0"
            >
              <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
                <div className="min-w-0 flex-[1_1_12rem]">
                  <p className="font-medium [overflow-wrap:anywhere]">{fullName(row.application)}</p>
                  <p className="text-sm text-muted [overflow-wrap:anywhere]">{row.application.company}</p>
                  {!isExpected(row.application) && (
                    <p className="text-sm font-medium text-error">{comingWords(arrivals.isOver).no}</p>
                  )}
                </div>
                {row.syncState !== 'confirmed' && <SyncLabel state={row.syncState} />}
                {hasPosts && (
                  <Button
                    variant="ghost"
                    size="small"
                    flush="start"
                    aria-label={`Post of ${fullName(row.application)}: ${row.application.post ?? 'none'}`}
                    onClick={() => setPlacing(row)}
                  >
                    {row.application.post ?? 'No post'}
                  </Button>
                )}
              </div>
              {arrivals.offered && <HereButton row={row} arrivals={arrivals} actions={marks} compact />}
            </li>
          ))}
        </ul>
      )}
      {placing && <PostDialog event={event} rows={[placing]} onClose={() => setPlacing(null)} />}
    </>
  )
}
