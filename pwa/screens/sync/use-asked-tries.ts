import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { useObservable } from '../../api/observable.ts'
import { reachability } from '../../api/reachability.ts'
import type { Entry } from '../../outbox/entry.ts'
import { findKnown } from '../../outbox/mutations.ts'

/**
 * Which refused changes are worth another try, because whoever runs the server put something right since. A hint: the
 * change waits for its owner as before, who may have done it otherwise meanwhile.
 * @param userId null asks for nobody @param refused how many there are; asked again when that changes
 */
export function useAskedTries(userId: number | null, refused: number): (entry: Entry) => boolean {
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set())
  const reachable = useObservable(reachability) !== 'unreachable'
  useEffect(() => {
    if (userId === null || refused === 0 || !reachable) return
    const leaving = new AbortController()
    call('listAskedTries', { signal: leaving.signal }).then(
      (tries) => setAsked(new Set(tries.map(({ route, code }) => placeOf(userId, route, code)))),
      // Without an answer there is no hint, and everything else works as before.
      () => undefined,
    )
    return () => leaving.abort()
  }, [userId, refused, reachable])
  return (entry) => {
    const route = findKnown(entry)?.mutation.route
    const code = entry.refusal?.problem.code
    return route !== undefined && code !== undefined && asked.has(placeOf(entry.userId, route, code))
  }
}

const placeOf = (userId: number | null, route: string, code: string) => `${userId} ${route} ${code}`
