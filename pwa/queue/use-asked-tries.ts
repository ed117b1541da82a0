import { useEffect, useState } from 'react'
import { call } from '../api/call.ts'
import { useObservable } from '../api/observable.ts'
import { reachability } from '../api/reachability.ts'
import type { Entry } from '../outbox/entry.ts'
import { findKnown } from '../outbox/mutations/mutations.ts'

/**
 * Which refused changes are worth another try, because whoever runs the server put something right since. A hint: the
 * change waits for its owner as before, who may have done it otherwise meanwhile. One that is refused while the screen is
 * open has just been tried: the server may not have noted that yet, and the hint would be of no use.
 * @param userId null asks for nobody @param refused the refused changes; asked again when they are others
 */
export function useAskedTries(userId: number | null, refused: readonly Entry[]): (entry: Entry) => boolean {
  const [asked, setAsked] = useState<Asked>({ places: new Set(), keys: null })
  const reachable = useObservable(reachability) !== 'unreachable'
  const keys = refused.map(({ key }) => key).join(' ')
  useEffect(() => {
    if (userId === null || keys === '' || !reachable) return
    const leaving = new AbortController()
    call('listAskedTries', { signal: leaving.signal }).then(
      (tries) =>
        setAsked((before) => ({
          places: new Set(tries.map(({ route, code }) => placeOf(userId, route, code))),
          keys: before.keys ?? new Set(keys.split(' ')),
        })),
      // Without an answer there is no hint, and everything else works as before.
      () => undefined,
    )
    return () => leaving.abort()
  }, [userId, keys, reachable])
  return (entry) => {
    const route = findKnown(entry)?.mutation.route
    const code = entry.refusal?.problem.code
    if (route === undefined || code === undefined || !asked.keys?.has(entry.key)) return false
    return asked.places.has(placeOf(entry.userId, route, code))
  }
}

interface Asked {
  readonly places: ReadonlySet<string>
  /** The changes that were refused when it was asked first; null before. */
  readonly keys: ReadonlySet<string> | null
}

const placeOf = (userId: number | null, route: string, code: string) => `${userId} ${route} ${code}`
