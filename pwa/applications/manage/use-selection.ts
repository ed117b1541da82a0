import { useMemo, useState } from 'react'

/** Who is chosen for one decision about many. The functions stay the same ones, so that rows need not be painted for them. */
export interface Selection {
  /** Choosing has begun; nobody need be chosen yet. */
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
