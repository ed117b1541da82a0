import { useEffect } from 'react'
import { accountPrefix } from '../../device/session/acting.ts'
import { observable, useObservable } from '../../browser/observable.ts'
import { readSetting, writeSetting } from '../../device/device-db.ts'
import { pendingEntries, type EventRow } from '../../sync/index.ts'
import { useSession } from '../../device/session/session.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { staleReason, type ReadyResult } from './ready-lines.ts'

export const appVersion = String(import.meta.env.VERSION)

/** The key is the setting's name; null means that nothing is kept. */
const results = observable<ReadonlyMap<string, ReadyResult | null>>(new Map())

const set = (name: string, result: ReadyResult | null) => results.set(new Map([...results.get(), [name, result]]))

/** It is deleted with the account's other settings when it signs out. */
const settingOf = (userId: number, eventId: number) => `${accountPrefix(userId)}ready/${eventId}`

export async function keepResult(userId: number, eventId: number, result: ReadyResult): Promise<void> {
  const name = settingOf(userId, eventId)
  set(name, result)
  await writeSetting(name, result)
}

/** Gives the latest check of an event here, and why it no longer counts. It is undefined while it is read. */
export function useReadyResult({
  event,
}: EventRow): { readonly result: ReadyResult | null; readonly stale: string | null } | undefined {
  const name = settingOf(useSession().user?.id ?? 0, event.id)
  const result = useObservable(results).get(name)
  const { account, visitor } = useObservable(pendingEntries)
  const now = useNow()
  useEffect(() => {
    if (results.get().has(name)) return
    readSetting<ReadyResult>(name).then(
      (kept) => results.get().has(name) || set(name, kept ?? null),
      () => set(name, null),
    )
  }, [name])
  if (result === undefined) return undefined
  const queued = account.length + visitor.length
  const stale = result && staleReason(result, { now, appVersion, eventVersion: event.version, queued })
  return { result, stale }
}
