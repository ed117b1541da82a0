import { useEffect, useState } from 'react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { questions } from '../sync/index.ts'

export interface OpenedApplication {
  readonly token: string
  readonly known: questions.Kept<OwnApplication>
}

const prefix = 'own-application/'

/** This setting keeps what the server said of the application that a token opens. */
export const ownApplicationSetting = (token: string) => prefix + token

/**
 * Lists the applications that were opened on this device, in any tab, newest answer first; it is undefined until it was
 * read.
 */
export function useOpenedApplications(): readonly OpenedApplication[] | undefined {
  const [kept, setKept] = useState<readonly OpenedApplication[]>()
  useEffect(() => {
    let stop = () => {}
    let gone = false
    const follow = async () => {
      const [{ liveQuery }, { deviceDb }] = await Promise.all([import('dexie'), import('./device-tables.ts')])
      if (gone) return
      const rows = liveQuery(() => deviceDb.settings.where('name').startsWith(prefix).toArray())
      const subscription = rows.subscribe({
        next: (found) =>
          setKept(
            found
              .map(({ name, value }) => ({
                token: name.slice(prefix.length),
                known: value as OpenedApplication['known'],
              }))
              .toSorted((one, other) => other.known.asOf.localeCompare(one.known.asOf)),
          ),
        error: () => setKept([]),
      })
      stop = () => subscription.unsubscribe()
    }
    follow().catch(() => setKept([]))
    return () => {
      gone = true
      stop()
    }
  }, [])
  return kept
}
