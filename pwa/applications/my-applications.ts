import { type OpenedApplication, useOpenedApplications } from '../device/opened-applications.ts'
import { allSent, useOwnDisk, type OwnApplications, type SentFor } from './own-application.ts'

export interface ListedApplication {
  readonly eventId: number
  readonly id: number
  /** When the application was sent; null for one opened by its link. */
  readonly eventName: string | null
  readonly token: string
}

/** Lists what was sent from this device, then what was opened by a link, each once. */
export function listApplications(sent: readonly SentFor[], opened: readonly OpenedApplication[]): ListedApplication[] {
  const ids = new Set(sent.map(({ sent: { id } }) => id))
  return [
    ...sent.map(({ eventId, eventName, sent: { id, token } }) => ({ eventId, id, eventName, token })),
    ...opened
      .filter(({ known: { value } }) => !ids.has(value.id))
      .map(({ token, known: { value } }) => ({ eventId: value.eventId, id: value.id, eventName: null, token })),
  ]
}

/** It is null until the device was read. */
export function useMyApplications(): {
  readonly listed: readonly ListedApplication[]
  readonly own: OwnApplications
} | null {
  const { disk, refresh } = useOwnDisk()
  const opened = useOpenedApplications()
  if (!disk || !opened) return null
  const sent = allSent(disk.receipts)
  const own = { status: 'ready', newest: null, sent: sent.map((one) => one.sent), disk, refresh } as const
  return { listed: listApplications(sent, opened), own }
}
