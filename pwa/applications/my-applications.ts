import { useEffect, useState } from 'react'
import { useObservable } from '../sync/index.ts'
import { listSettings } from '../device/device-db.ts'
import { ownApplicationSetting } from '../device/forget-application.ts'
import { forgottenTokens, isForgotten } from '../device/forgotten-tokens.ts'
import { allSent, useOwnDisk, type OwnApplications, type SentFor } from './own-application.ts'
import type { KnownApplication } from './own-page/own-page-state.ts'

export interface ListedApplication {
  readonly eventId: number
  /** When the application was sent; null for one opened by its link. */
  readonly eventName: string | null
  readonly token: string
}

/** Sent from this device, then opened by a link; each once. */
export function listApplications(
  sent: readonly SentFor[],
  opened: readonly { readonly token: string; readonly known: KnownApplication }[],
): ListedApplication[] {
  const ids = new Set(sent.map(({ sent: { id } }) => id))
  return [
    ...sent.map(({ eventId, eventName, sent: { token } }) => ({ eventId, eventName, token })),
    ...opened
      .filter(({ known: { application } }) => !ids.has(application.id))
      .toSorted((one, other) => other.known.asOf.localeCompare(one.known.asOf))
      .map(({ token, known: { application } }) => ({ eventId: application.eventId, eventName: null, token })),
  ]
}

const prefix = ownApplicationSetting('')

/** Null until the device was read. */
export function useMyApplications():
  | (Pick<OwnApplications, 'disk' | 'refresh'> & {
      readonly listed: readonly ListedApplication[]
    })
  | null {
  const { disk, refresh } = useOwnDisk()
  const forgotten = useObservable(forgottenTokens)
  const [opened, setOpened] = useState<{ token: string; known: KnownApplication }[] | null>(null)
  useEffect(() => {
    void listSettings<KnownApplication>(prefix)
      .catch(() => [])
      .then((found) => setOpened(found.map(({ name, value }) => ({ token: name.slice(prefix.length), known: value }))))
  }, [])
  if (!disk || !opened) return null
  const listed = listApplications(allSent(disk.receipts), opened).filter(({ token }) => !isForgotten(token, forgotten))
  return { listed, disk, refresh }
}
