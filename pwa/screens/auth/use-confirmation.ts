import { useCallback, useEffect, useState } from 'react'
import type { Answer } from '#shared/api/route.ts'
import type { Routes } from '#shared/api/routes.ts'
import { call, Refused } from '../../api/call.ts'
import { reachability } from '../../api/reachability.ts'
import { refreshUser } from '../../session/session.ts'

type Progress =
  | { readonly state: 'confirming' | 'unreachable' }
  | { readonly state: 'confirmed'; readonly answer: Answer<Routes['confirmEmail']> }
  /** The link does nothing; `reason` in the server's words. */
  | { readonly state: 'dead'; readonly reason: string }

/**
 * Has the server confirm what a link shows, once the page is open and as soon as there is a network. The server takes a
 * second time for the first, so a reload and a lost answer do no harm.
 */
export function useConfirmation(token: string | null): { progress: Progress; retry: () => void } {
  const [progress, setProgress] = useState<Progress>(
    token === null ? { state: 'dead', reason: 'Please open it in the email once more.' } : { state: 'confirming' },
  )
  const confirm = useCallback(async () => {
    if (token === null) return
    try {
      const answer = await call('confirmEmail', { body: { token } })
      setProgress({ state: 'confirmed', answer })
      await refreshUser()
    } catch (error) {
      if (error instanceof Refused && error.status < 429) setProgress({ state: 'dead', reason: error.message })
      else setProgress({ state: 'unreachable' })
    }
  }, [token])
  const retry = useCallback(() => void confirm().catch(() => undefined), [confirm])

  useEffect(retry, [retry])
  const waits = progress.state === 'unreachable'
  useEffect(() => {
    if (!waits) return
    return reachability.subscribe(() => reachability.get() === 'reachable' && retry())
  }, [waits, retry])
  return { progress, retry }
}
