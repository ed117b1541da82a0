import { useState } from 'react'

/** Who is chosen for one decision about many. */
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
  const [state, setState] = useState<{ on: boolean; ids: ReadonlySet<number> }>({ on: false, ids: new Set() })
  return {
    ...state,
    start: () => setState({ on: true, ids: new Set() }),
    stop: () => setState({ on: false, ids: new Set() }),
    toggle(id) {
      const ids = new Set(state.ids)
      if (!ids.delete(id)) ids.add(id)
      setState({ on: true, ids })
    },
    choose: (ids) => setState({ on: true, ids: new Set(ids) }),
  }
}
