import { useMemo, useState } from 'react'

/**
 * A list that holds still: what is shown, and in which order, is settled when the view (`view` names filter and search)
 * is chosen. Later changes paint inside their rows; what newly belongs to the view waits until it is asked for.
 * @param ids what the view holds now, in its order
 * @param exists whether a row still exists at all: a deleted one goes, one that left the view stays where it is
 */
export function useSteadyList(
  view: string,
  ids: readonly number[],
  exists: (id: number) => boolean,
): {
  readonly shown: readonly number[]
  /** How many belong to the view and are not shown yet. */
  readonly waiting: number
  /** Settles anew: brings the waiting ones in and lets go of what left. */
  readonly refresh: () => void
} {
  const [settled, setSettled] = useState({ view, ids })
  const known = useMemo(() => new Set(settled.ids), [settled])
  const shown = useMemo(() => settled.ids.filter(exists), [settled, exists])
  // A list with nothing in it has nothing to hold still.
  const anew = settled.view !== view || (shown.length === 0 && ids.length > 0)
  if (anew) setSettled({ view, ids })
  return {
    shown: anew ? ids : shown,
    waiting: anew ? 0 : ids.reduce((count, id) => (known.has(id) ? count : count + 1), 0),
    refresh: () => setSettled({ view, ids }),
  }
}

/** Who is selected for one decision about many. The functions keep their identity, so that rows are not rendered again for them. */
interface Selection {
  /** Selecting has begun, perhaps with nothing selected yet. */
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
