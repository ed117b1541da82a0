import { useEffect, useState } from 'react'
import type { Answer } from '#shared/contract/route.ts'
import type { Routes } from '#shared/api/routes.ts'
import { call, Refused } from '../../api/call.ts'
import { reachability } from '../../api/reachability.ts'
import { refreshUser } from '../../session/session.ts'

type Progress =
  | { readonly state: 'confirming' | 'unreachable' }
  | { readonly state: 'confirmed'; readonly answer: Answer<Routes['confirmEmail']> }
  /** The link does nothing; `reason` in the server's words. */
  | { readonly state: 'dead'; readonly reason: string }

const incomplete: Progress = { state: 'dead', reason: 'Please open it in the email once more.' }

/**
 * Has the server confirm what a link shows, once the page is open and as soon as there is a network. The server takes a
 * second time for the first, so a reload and a lost answer do no harm.
 */
export function useConfirmation(token: string | null): { progress: Progress; retry: () => void } {
  const [progress, setProgress] = useState<Progress>(token === null ? incomplete : { state: 'confirming' })
  const [asking, setAsking] = useState(token !== null)

  useEffect(() => {
    if (token === null || !asking) return
    let left = false
    const settle = (next: Progress) => {
      if (left) return
      setProgress(next)
      setAsking(false)
    }
    call('confirmEmail', { body: { token } })
      .then((answer) => {
        settle({ state: 'confirmed', answer })
        void refreshUser().catch(() => undefined)
      })
      .catch((error: unknown) => {
        const isRefused = error instanceof Refused && error.status < 429
        settle(isRefused ? { state: 'dead', reason: error.message } : { state: 'unreachable' })
      })
    return () => {
      left = true
    }
  }, [token, asking])

  const waits = progress.state === 'unreachable'
  useEffect(() => {
    if (!waits) return
    return reachability.subscribe(() => {
      if (reachability.get() === 'reachable') setAsking(true)
    })
  }, [waits])
  return { progress, retry: () => setAsking(true) }
}
