import { useCallback, useEffect, useRef, useState } from 'react'
import { hasDatabase } from '../api/kept-databases.ts'
import type { Entry, Receipt } from '../outbox/entry.ts'
import { outboxDatabaseName } from '../outbox/store/outbox-shape.ts'
import { outboxStore } from '../outbox/outbox.ts'
import { pendingEntries } from '../replica/view/pending-entries.ts'
import { newestApplication, sentApplications } from './newest-application.ts'
import type { OwnApplication, SentApplication } from './newest-application.ts'

export interface OwnApplications {
  /** `loading` until queue and receipts were read. */
  readonly status: 'loading' | 'ready'
  /** The newest one: what still waits comes before what arrived. */
  readonly newest: OwnApplication | null
  /** Those the server has, newest first: several people may have used this phone. */
  readonly sent: readonly SentApplication[]
  /** All that this device holds of visitors' changes: those that wait, and the answers to those that arrived. */
  readonly disk: OnDisk
  /** Resolves when what is on disk now is shown. */
  readonly refresh: () => Promise<void>
}

interface OnDisk {
  readonly entries: readonly Entry[]
  readonly receipts: readonly Receipt[]
}

const nothing: OnDisk = { entries: [], receipts: [] }

/** Entries first: one that leaves the queue between the two reads is found among the receipts. */
async function readDisk(): Promise<OnDisk> {
  if (!(await hasDatabase((name) => name === outboxDatabaseName))) return nothing
  const entries = await outboxStore.entriesOf(null)
  return { entries, receipts: await outboxStore.receipts() }
}

/**
 * What this device knows of applications for an event; follows the queue while it drains. Queue and receipts are painted
 * together, so that an application that has just arrived is never shown as none.
 */
export function useOwnApplication(eventId: number): OwnApplications {
  const [found, setFound] = useState<OnDisk | null>(null)
  const newestRead = useRef(0)
  const refresh = useCallback(async () => {
    newestRead.current += 1
    const turn = newestRead.current
    const read = await readDisk().catch(() => nothing)
    if (turn === newestRead.current) setFound(read)
  }, [])
  useEffect(() => {
    void refresh()
    return pendingEntries.subscribe(() => void refresh())
  }, [refresh])
  if (!found) return { status: 'loading', newest: null, sent: [], disk: nothing, refresh }
  const newest = newestApplication(found.entries, found.receipts, eventId)
  return { status: 'ready', newest, sent: sentApplications(found.receipts, eventId), disk: found, refresh }
}
