import { useCallback, useEffect, useState } from 'react'
import { Unreachable } from '../../api/call.ts'
import { reachability } from '../../api/reachability.ts'
import { serverNow } from '../../api/server-time.ts'

export interface ServerAnswer<T> {
  /** As the server last told; null before. */
  readonly answer: T | null
  /** When that was. */
  readonly asOf: string | null
  /** Why there is no newer answer; null while one is expected or here. */
  readonly failure: 'unreachable' | 'failed' | null
  readonly reload: () => Promise<void>
  /** Keeps what the server has just answered to something else. */
  readonly keep: (answer: T) => void
}

/**
 * What only the server knows: asked when the screen opens and, after a failure, whenever the server can be reached again.
 * @param ask the same function at every rendering
 */
export function useServerAnswer<T>(ask: () => Promise<T>): ServerAnswer<T> {
  const [state, setState] = useState<Pick<ServerAnswer<T>, 'answer' | 'asOf' | 'failure'>>({
    answer: null,
    asOf: null,
    failure: null,
  })
  const keep = useCallback((answer: T) => setState({ answer, asOf: serverNow().toISOString(), failure: null }), [])
  const reload = useCallback(
    () =>
      ask().then(keep, (error: unknown) =>
        setState((before) => ({ ...before, failure: error instanceof Unreachable ? 'unreachable' : 'failed' })),
      ),
    [ask, keep],
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
  return { ...state, reload, keep }
}
