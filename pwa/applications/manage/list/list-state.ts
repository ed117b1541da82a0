import { useMemo, useState } from 'react'
import { type ApplicationRow, mutations } from '../../../sync/index.ts'
import { inOrder, type SortOrder } from '../shown-applicant.ts'

/**
 * Rows and their order change with the view alone; rows that newly match wait for `refresh`, but for whom this device has
 * just taken in.
 * @param view names filter, order and search
 * @param rows what the view matches now
 * @param exists deleted rows go; rows that left the view stay
 * @param leading events whose people come first
 */
export function useSteadyList(
  view: string,
  rows: readonly ApplicationRow[],
  order: SortOrder,
  exists: (id: number) => boolean,
  leading?: readonly number[],
): {
  readonly shown: readonly number[]
  readonly waiting: number
  readonly refresh: () => void
} {
  const settle = () => ({ view, ids: inOrder(rows, order, leading).map(({ application }) => application.id) })
  const [settled, setSettled] = useState(settle)
  const known = useMemo(() => new Set(settled.ids), [settled])
  const shown = useMemo(() => settled.ids.filter(exists), [settled, exists])
  const waiting = useMemo(() => rows.filter(({ application }) => !known.has(application.id)).length, [rows, known])
  // An empty list has nothing to hold still.
  if (settled.view !== view || (shown.length === 0 && rows.length > 0)) setSettled(settle)
  const takenIn = rows.filter((row) => !known.has(row.application.id) && isTakenInHere(row))
  if (takenIn.length > 0)
    setSettled({ view: settled.view, ids: [...takenIn.map(({ application }) => application.id), ...settled.ids] })
  return {
    shown,
    waiting,
    refresh: () => setSettled(settle),
  }
}

const isTakenInHere = ({ entries }: ApplicationRow) =>
  entries.some(({ mutation }) => mutation === mutations.addWalkIn.name || mutation === mutations.handInApplication.name)

/** The functions keep their identity: no row is rendered again. */
export interface Selection {
  /** True with nothing selected yet, too. */
  readonly on: boolean
  readonly ids: ReadonlySet<number>
  readonly start: () => void
  readonly stop: () => void
  readonly toggle: (id: number) => void
  readonly choose: (ids: readonly number[]) => void
}

export function useSelection(): Selection {
  const [state, setState] = useState<Pick<Selection, 'on' | 'ids'>>({ on: false, ids: new Set() })
  const acts = useMemo<Omit<Selection, 'on' | 'ids'>>(
    () => ({
      start: () => setState({ on: true, ids: new Set() }),
      stop: () => setState({ on: false, ids: new Set() }),
      toggle: (id) =>
        setState((before) => {
          const ids = new Set(before.ids)
          if (!ids.delete(id)) ids.add(id)
          return { on: true, ids }
        }),
      choose: (ids) => setState({ on: true, ids: new Set(ids) }),
    }),
    [],
  )
  return useMemo(() => ({ ...state, ...acts }), [state, acts])
}
