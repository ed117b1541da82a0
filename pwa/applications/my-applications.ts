import { useEffect, useState } from 'react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { useObservable, type Kept } from '../sync/index.ts'
import { listSettings } from '../device/device-db.ts'
import { ownApplicationSetting } from '../device/forget-application.ts'
import { forgottenTokens, isForgotten } from '../device/forgotten-tokens.ts'
import { allSent, useOwnDisk, type OwnApplications, type SentFor } from './own-application.ts'

export interface ListedApplication {
  readonly eventId: number
  /** When the application was sent; null for one opened by its link. */
  readonly eventName: string | null
  readonly token: string
}

/** Sent from this device, then opened by a link; each once. */
export function listApplications(
  sent: readonly SentFor[],
  opened: readonly { readonly token: string; readonly known: Kept<OwnApplication> }[],
): ListedApplication[] {
  const ids = new Set(sent.map(({ sent: { id } }) => id))
  return [
    ...sent.map(({ eventId, eventName, sent: { token } }) => ({ eventId, eventName, token })),
    ...opened
      .filter(({ known: { value } }) => !ids.has(value.id))
      .toSorted((one, other) => other.known.asOf.localeCompare(one.known.asOf))
      .map(({ token, known: { value } }) => ({ eventId: value.eventId, eventName: null, token })),
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
  const [opened, setOpened] = useState<{ token: string; known: Kept<OwnApplication> }[] | null>(null)
  useEffect(() => {
    void listSettings<Kept<OwnApplication>>(prefix)
      .catch(() => [])
      .then((found) => setOpened(found.map(({ name, value }) => ({ token: name.slice(prefix.length), known: value }))))
  }, [])
  if (!disk || !opened) return null
  const listed = listApplications(allSent(disk.receipts), opened).filter(({ token }) => !isForgotten(token, forgotten))
  return { listed, disk, refresh }
}
