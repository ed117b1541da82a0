import { useMemo, useState } from 'react'

/**
 * Rows and their order change with the view alone; rows that newly match wait for `refresh`.
 * @param view names filter and search
 * @param ids what the view matches now, in order
 * @param exists deleted rows go; rows that left the view stay
 */
export function useSteadyList(
  view: string,
  ids: readonly number[],
  exists: (id: number) => boolean,
): {
  readonly shown: readonly number[]
  readonly waiting: number
  readonly refresh: () => void
} {
  const [settled, setSettled] = useState({ view, ids })
  const known = useMemo(() => new Set(settled.ids), [settled])
  const shown = useMemo(() => settled.ids.filter(exists), [settled, exists])
  // An empty list has nothing to hold still.
  const anew = settled.view !== view || (shown.length === 0 && ids.length > 0)
  if (anew) setSettled({ view, ids })
  return {
    shown: anew ? ids : shown,
    waiting: anew ? 0 : ids.reduce((count, id) => (known.has(id) ? count : count + 1), 0),
    refresh: () => setSettled({ view, ids }),
  }
}

/** The functions keep their identity: no row is rendered again. */
interface Selection {
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
