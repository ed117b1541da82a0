import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import type { ApplicationRow } from '../../../sync/index.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import type { ApplicantActions, ApplicantList } from '../application-row.tsx'
import { arrivalsOf, noArrivals, type Arrivals } from '../arrivals.ts'
import { useTrackRecord } from '../presence/track-record.ts'
import { eventFilter, search } from '../shown-applicant.ts'
import type { ListView } from './applications-toolbar.tsx'
import { useSteadyList, type Selection } from './list-state.ts'

/** The same object while nothing in it changed: every row is rendered again for another one. */
export interface SeveralEvents {
  readonly nameOf: (eventId: number) => string
  readonly isOver: (eventId: number) => boolean
  /** Today's events come first, then the others by their start. */
  readonly ids: readonly number[]
  /** These are today's events. */
  readonly leading: readonly number[]
}

/** Says whose applicants are listed: one event's, or those of several. */
export interface Listed {
  /** It is null for several events. */
  readonly event: EventDocument | null
  readonly several?: SeveralEvents | undefined
  readonly rows: readonly ApplicationRow[]
  readonly onMessage?: ((ids: readonly number[]) => void) | undefined
  /** It is missing where the event has no posts. */
  readonly onPlace?: ((ids: readonly number[]) => void) | undefined
}

interface ListTerms {
  readonly actions: ApplicantActions
  readonly selection: Selection
  readonly filter: ListView['filter']
  readonly review: (id: number) => void
}

/** Gives what every row needs, in an object that keeps its identity from tap to tap. */
export function useApplicantList(
  { event, several, onMessage, onPlace }: Listed,
  { actions, selection, filter, review }: ListTerms,
): ApplicantList {
  const now = useNow()
  const trackRecordOf = useTrackRecord(event?.id ?? null, now)
  const isEventOver = event !== null && hasEnded(event, now)
  const { on: selecting, toggle: onToggle } = selection
  return useMemo<ApplicantList>(
    () => ({
      now,
      actions,
      selecting,
      onToggle,
      onView: ({ application }) => review(application.id),
      ...(several && !filter.startsWith('event') && { eventNameOf: several.nameOf }),
      onMessage,
      onPlace,
      toldStatus: several ? 'pending' : filter,
      arrivals: event ? arrivalsOf(event, now) : noArrivals,
      trackRecordOf,
      isOver: event ? () => isEventOver : ({ eventId }) => several?.isOver(eventId) ?? false,
    }),
    [event, several, onMessage, onPlace, filter, now, isEventOver, actions, trackRecordOf, selecting, onToggle, review],
  )
}

function isInFilter({ application }: ApplicationRow, filter: ListView['filter'], arrivals: Arrivals): boolean {
  if (filter === 'all') return true
  if (filter === 'here') return arrivals.of(application)
  return filter === application.status || filter === eventFilter(application.eventId)
}

/** Gives the ids that filter, order and search show, which hold still while people come and go. */
export function useShownApplicants({ rows, several }: Listed, { filter, order, typed }: ListView, arrivals: Arrivals) {
  const text = useDeferredValue(typed)
  const leading = several?.leading
  const byId = useMemo(() => new Map(rows.map((row) => [row.application.id, row])), [rows])
  const exists = useCallback((id: number) => byId.has(id), [byId])
  const matching = useMemo(() => {
    if (filter === 'all' && !text.trim()) return rows
    const isFound = search(text)
    return rows.filter((row) => isInFilter(row, filter, arrivals) && isFound(row.application))
  }, [rows, filter, text, arrivals])
  const viewKey = [filter, order, text, ...(leading ?? [])].join(' ')
  return { ...useSteadyList(viewKey, matching, order, exists, leading), byId, text }
}

export const useListView = () => useState<ListView>({ filter: 'all', order: 'waiting', typed: '' })
