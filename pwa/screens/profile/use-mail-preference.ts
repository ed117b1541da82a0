import { useCallback, useEffect, useState } from 'react'
import { call, Unreachable } from '../../api/call.ts'
import { reachability } from '../../api/reachability.ts'

export interface MailPreference {
  /** As the server last told; null before. */
  readonly isOn: boolean | null
  /** Why nobody knows; null while an answer is expected or here. */
  readonly failure: 'unreachable' | 'failed' | null
  readonly reload: () => Promise<void>
  /** Keeps what the server has just answered. */
  readonly keep: (isOn: boolean) => void
}

/** Whether the person wants mails about new applications: asked when the screen opens and whenever the server is back. */
export function useMailPreference(): MailPreference {
  const [state, setState] = useState<Pick<MailPreference, 'isOn' | 'failure'>>({ isOn: null, failure: null })
  const keep = useCallback((isOn: boolean) => setState({ isOn, failure: null }), [])
  const reload = useCallback(
    () =>
      call('getMailPreferences').then(
        ({ newApplications }) => keep(newApplications),
        (error: unknown) =>
          setState((before) => ({ ...before, failure: error instanceof Unreachable ? 'unreachable' : 'failed' })),
      ),
    [keep],
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
