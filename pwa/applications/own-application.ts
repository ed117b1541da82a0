import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApplicationFields } from '#shared/applications/application.ts'
import { argsOf } from '../device/session/queued-entry.ts'
import {
  hasDatabase,
  type Entry,
  type Receipt,
  applyAsBeacon,
  type ApplyAsBeacon,
  outboxDatabaseName,
  outboxStore,
  pendingEntries,
} from '../sync/index.ts'

export interface UnsentApplication {
  readonly state: 'on-this-device' | 'refused'
  readonly entry: Entry
  readonly args: ApplyAsBeacon
}

/** `sent` only ever comes from the server's own answer. */
export type OwnApplication = UnsentApplication | { readonly state: 'sent'; readonly sent: SentApplication }

/** Its text, and the token that opens it. */
export interface SentApplication {
  readonly id: number
  readonly token: string
  readonly fields: ApplicationFields
  readonly at: string
}

export function newestApplication(
  entries: readonly Entry[],
  receipts: readonly Receipt[],
  eventId: number,
): OwnApplication | null {
  for (const entry of entries.toReversed()) {
    const args = entry.forget ? undefined : argsOf(entry, applyAsBeacon)
    if (args?.eventId !== eventId) continue
    if (entry.state === 'blocked') {
      // A later entry only waits for the refused one.
      const refused = entries.find(({ state, lane }) => state === 'parked' && lane === entry.lane) ?? entry
      return { state: 'refused', entry: refused, args: argsOf(refused, applyAsBeacon) ?? args }
    }
    if (entry.state === 'parked') return { state: 'refused', entry, args }
    if (entry.state === 'acknowledged') {
      const sent = sentOf(args, entry.acknowledged?.body, entry.createdAt)
      if (sent) return { state: 'sent', sent }
    }
    return { state: 'on-this-device', entry, args }
  }
  const [sent] = sentApplications(receipts, eventId)
  return sent ? { state: 'sent', sent } : null
}

const sentApplications = (receipts: readonly Receipt[], eventId: number): SentApplication[] =>
  allSent(receipts).flatMap((one) => (one.eventId === eventId ? [one.sent] : []))

function sentOf({ fields }: ApplyAsBeacon, answer: unknown, at: string): SentApplication | undefined {
  const { id, token } = (answer ?? {}) as { id?: unknown; token?: unknown }
  return typeof id === 'number' && typeof token === 'string' ? { id, token, fields, at } : undefined
}

export interface OwnApplications {
  /** `loading` until queue and receipts were read. */
  readonly status: 'loading' | 'ready'
  /** Unsent before sent ones. */
  readonly newest: OwnApplication | null
  /** Newest first; several people may have used this device. */
  readonly sent: readonly SentApplication[]
  /** Queue and receipts of all visitors' changes. */
  readonly disk: OnDisk
  /** Resolves when what is on disk now is shown. */
  readonly refresh: () => Promise<void>
}

interface OnDisk {
  readonly entries: readonly Entry[]
  readonly receipts: readonly Receipt[]
}

const nothing: OnDisk = { entries: [], receipts: [] }

/** Entries first: one that leaves the queue meanwhile is among the receipts. */
async function readDisk(): Promise<OnDisk> {
  if (!(await hasDatabase((name) => name === outboxDatabaseName))) return nothing
  const entries = await outboxStore.entriesOf(null)
  return { entries, receipts: await outboxStore.receipts() }
}

/** What the device's receipts of applications were for, newest first. */
export interface SentFor {
  readonly eventId: number
  readonly eventName: string
  readonly sent: SentApplication
}

/** All events' sent applications, newest first. */
export function allSent(receipts: readonly Receipt[]): SentFor[] {
  return receipts
    .filter(({ mutation }) => mutation === applyAsBeacon.name)
    .toSorted((one, other) => other.at.localeCompare(one.at))
    .flatMap(({ args, answer, at }) => {
      const { eventId, eventName } = args as ApplyAsBeacon
      const sent = sentOf(args as ApplyAsBeacon, answer, at)
      return sent ? [{ eventId, eventName, sent }] : []
    })
}

/** By event; the newest of each. */
export function allUnsent(entries: readonly Entry[]): { readonly args: ApplyAsBeacon; readonly refused: boolean }[] {
  const applied = entries.filter(({ forget }) => !forget).flatMap((entry) => argsOf(entry, applyAsBeacon) ?? [])
  return [...new Set(applied.map(({ eventId }) => eventId))].flatMap((eventId) => {
    const newest = newestApplication(entries, [], eventId)
    return newest && newest.state !== 'sent' ? [{ args: newest.args, refused: newest.state === 'refused' }] : []
  })
}

/** Read together, so that no application is missed as it arrives; null at first. */
export function useOwnDisk(): { readonly disk: OnDisk | null; readonly refresh: () => Promise<void> } {
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
  return { disk: found, refresh }
}

export function useOwnApplication(eventId: number): OwnApplications {
  const { disk, refresh } = useOwnDisk()
  if (!disk) return { status: 'loading', newest: null, sent: [], disk: nothing, refresh }
  const newest = newestApplication(disk.entries, disk.receipts, eventId)
  return { status: 'ready', newest, sent: sentApplications(disk.receipts, eventId), disk, refresh }
}

export async function hasApplied(): Promise<boolean> {
  const { entries, receipts } = await readDisk()
  return allSent(receipts).length > 0 || allUnsent(entries).length > 0
}

/** Of the device's newest application; null without one. */
export async function lastAnswers(): Promise<ApplicationFields | null> {
  const { entries, receipts } = await readDisk()
  return allUnsent(entries)[0]?.args.fields ?? allSent(receipts)[0]?.sent.fields ?? null
}
