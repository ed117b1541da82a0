import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApplicationFields } from '#shared/applications/application.ts'
import { applicationStatuses, type ApplicationStatus } from '#shared/applications/decide.ts'
import { ifAnswered, storageSilence } from '../browser/page-storage.ts'
import { argsOf, type Entry, pendingEntries, mutations, readVisitorQueue } from '../sync/index.ts'

export interface UnsentApplication {
  readonly state: 'on-this-device' | 'refused'
  readonly entry: Entry
  readonly args: mutations.ApplyAsBeacon
}

/** `sent` only ever comes from the server's own answer. */
export type OwnApplication = UnsentApplication | { readonly state: 'sent'; readonly sent: SentApplication }

/** Holds its text, and the token that opens it. */
export interface SentApplication {
  readonly id: number
  readonly token: string
  readonly fields: ApplicationFields
  readonly at: string
  /** By then: another phone may have brought it before, and the organizer decided. */
  readonly status: ApplicationStatus
}

export function newestApplication(
  entries: readonly Entry[],
  receipts: Receipts,
  eventId: number,
): OwnApplication | null {
  for (const entry of entries.toReversed()) {
    const args = entry.forget ? undefined : argsOf(entry, mutations.applyAsBeacon)
    if (args?.eventId !== eventId) continue
    if (entry.state === 'blocked') {
      // A later entry only waits for the refused one.
      const refused = entries.find(({ state, lane }) => state === 'parked' && lane === entry.lane) ?? entry
      return { state: 'refused', entry: refused, args: argsOf(refused, mutations.applyAsBeacon) ?? args }
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

const sentApplications = (receipts: Receipts, eventId: number): SentApplication[] =>
  allSent(receipts).flatMap((one) => (one.eventId === eventId ? [one.sent] : []))

/** It is undefined where the answer is not what the server says of an application. */
export function sentOf({ fields }: mutations.ApplyAsBeacon, answer: unknown, at: string): SentApplication | undefined {
  const { id, token, status: said } = (answer ?? {}) as { id?: unknown; token?: unknown; status?: unknown }
  const status = applicationStatuses.find((one) => one === said) ?? 'pending'
  return typeof id === 'number' && typeof token === 'string' ? { id, token, fields, at, status } : undefined
}

export interface OwnApplications {
  /** It is `loading` until queue and receipts were read. */
  readonly status: 'loading' | 'ready'
  /** Unsent ones come before sent ones. */
  readonly newest: OwnApplication | null
  /** Newest first; several people may have used this device. */
  readonly sent: readonly SentApplication[]
  /** Queue and receipts of all visitors' changes. */
  readonly disk: OnDisk
  /** Resolves when what is on disk now is shown. */
  readonly refresh: () => Promise<void>
}

type OnDisk = Awaited<ReturnType<typeof readVisitorQueue>>
export type Receipts = OnDisk['receipts']

const nothing: OnDisk = { entries: [], receipts: [] }

/** Says what the device's receipts of applications were for, newest first. */
export interface SentFor {
  readonly eventId: number
  readonly eventName: string
  readonly sent: SentApplication
}

/** Lists all events' sent applications, newest first. */
export function allSent(receipts: Receipts): SentFor[] {
  return receipts
    .filter(({ mutation }) => mutation === mutations.applyAsBeacon.name)
    .toSorted((one, other) => other.at.localeCompare(one.at))
    .flatMap(({ args, answer, at }) => {
      const { eventId, eventName } = args as mutations.ApplyAsBeacon
      const sent = sentOf(args as mutations.ApplyAsBeacon, answer, at)
      return sent ? [{ eventId, eventName, sent }] : []
    })
}

/** Maps events to the newest of each. */
export function allUnsent(
  entries: readonly Entry[],
): { readonly args: mutations.ApplyAsBeacon; readonly refused: boolean }[] {
  const applied = entries
    .filter(({ forget }) => !forget)
    .flatMap((entry) => argsOf(entry, mutations.applyAsBeacon) ?? [])
  return [...new Set(applied.map(({ eventId }) => eventId))].flatMap((eventId) => {
    const newest = newestApplication(entries, [], eventId)
    return newest && newest.state !== 'sent' ? [{ args: newest.args, refused: newest.state === 'refused' }] : []
  })
}

/** Reads both together, so that no application is missed as it arrives; it is null at first. */
export function useOwnDisk(): { readonly disk: OnDisk | null; readonly refresh: () => Promise<void> } {
  const [found, setFound] = useState<OnDisk | null>(null)
  const newestRead = useRef(0)
  const refresh = useCallback(async () => {
    newestRead.current += 1
    const turn = newestRead.current
    const read = (await ifAnswered(readVisitorQueue())) ?? nothing
    if (turn === newestRead.current) setFound(read)
  }, [])
  useEffect(() => {
    void refresh()
    const stops = [pendingEntries, storageSilence].map((news) => news.subscribe(() => void refresh()))
    return () => stops.forEach((stop) => stop())
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
  const { entries, receipts } = await readVisitorQueue()
  return allSent(receipts).length > 0 || allUnsent(entries).length > 0
}

/** Answers come from the device's newest application; null means that there is none. */
export async function lastAnswers(): Promise<ApplicationFields | null> {
  const { entries, receipts } = await readVisitorQueue()
  return allUnsent(entries)[0]?.args.fields ?? allSent(receipts)[0]?.sent.fields ?? null
}
