import { useCallback, useEffect, useState } from 'react'
import type { Session } from '#shared/api/sessions.ts'
import { call, Unreachable } from '../../api/call.ts'
import { reachability } from '../../api/reachability.ts'
import { tellDeviceName } from '../../device/device-name-told.ts'

export interface Sessions {
  /** As the server last told; null before. */
  readonly sessions: readonly Session[] | null
  readonly asOf: string | null
  /** Why there is no newer list; null while one is expected or here. */
  readonly failure: 'unreachable' | 'failed' | null
  readonly reload: () => Promise<void>
}

/** Where the person is signed in: asked of the server when the screen opens and whenever it can be reached again. */
export function useSessions(): Sessions {
  const [state, setState] = useState<Omit<Sessions, 'reload'>>({ sessions: null, asOf: null, failure: null })
  const reload = useCallback(
    () =>
      load().then(
        (sessions) => setState({ sessions, asOf: new Date().toISOString(), failure: null }),
        (error: unknown) =>
          setState((before) => ({ ...before, failure: error instanceof Unreachable ? 'unreachable' : 'failed' })),
      ),
    [],
  )
  useEffect(() => {
    void reload()
  }, [reload])
  const hasFailed = state.failure !== null
  useEffect(() => {
    if (!hasFailed) return
    return reachability.subscribe(() => {
      if (reachability.get() === 'reachable') void reload()
    })
  }, [hasFailed, reload])
  return { ...state, reload }
}

/** A name the server does not know yet goes first, so that the list has it. */
async function load(): Promise<readonly Session[]> {
  await tellDeviceName()
  return await call('listSessions')
}
