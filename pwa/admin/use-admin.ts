import { useCallback, useEffect, useState } from 'react'
import type { AdminAccount, AdminStats } from '#shared/admin/admin-calls.ts'
import { call, Refused, Unreachable } from '../api/call.ts'
import { reachability } from '../api/reachability.ts'
import { serverNow } from '../api/server-time.ts'
import { readSetting, writeSetting } from '../device/device-db.ts'

interface Known<T> {
  readonly value: T
  /** When the server said so (ISO). */
  readonly asOf: string
}

export interface AdminView {
  /** The newest known numbers; those of the last visit stay readable without a network. */
  readonly stats: Known<AdminStats> | null
  /** Only as long as the app is open: other people's addresses are not kept on a device. */
  readonly accounts: Known<readonly AdminAccount[]> | null
  /** Why nothing newer came; null while it is on its way or here. */
  readonly failure: 'unreachable' | 'denied' | { readonly reason: string } | null
  readonly reload: () => void
}

const pageSize = 500
// Goes when the account leaves the device, with everything else under this name.
const settingOf = (userId: number) => `user:${userId}/admin-stats`

/** What an admin sees of the platform; asked of the server when the screen opens and when it can be reached again. */
export function useAdmin(userId: number): AdminView {
  const [view, setView] = useState<Omit<AdminView, 'reload'>>({ stats: null, accounts: null, failure: null })

  useEffect(() => {
    let gone = false
    readSetting<Known<AdminStats>>(settingOf(userId))
      .then((kept) => {
        if (!gone && kept) setView((before) => (before.stats ? before : { ...before, stats: kept }))
      })
      .catch(() => undefined)
    return () => {
      gone = true
    }
  }, [userId])

  const reload = useCallback(() => {
    const leaving = new AbortController()
    load(userId, leaving.signal).then(
      (loaded) => setView({ ...loaded, failure: null }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setView((before) => ({ ...before, failure: failureOf(error) }))
      },
    )
    return () => leaving.abort()
  }, [userId])
  useEffect(() => reload(), [reload])

  const isOffline = view.failure === 'unreachable'
  useEffect(() => {
    if (!isOffline) return
    return reachability.subscribe(() => {
      if (reachability.get() === 'reachable') reload()
    })
  }, [isOffline, reload])
  return { ...view, reload }
}

async function load(userId: number, signal: AbortSignal): Promise<Pick<AdminView, 'stats' | 'accounts'>> {
  const [stats, accounts] = await Promise.all([call('getAdminStats', { signal, query: undefined }), listAll(signal)])
  const asOf = serverNow().toISOString()
  const known = { value: stats, asOf }
  await writeSetting(settingOf(userId), known).catch(() => undefined)
  signal.throwIfAborted()
  return { stats: known, accounts: { value: accounts, asOf } }
}

async function listAll(signal: AbortSignal): Promise<readonly AdminAccount[]> {
  const all: AdminAccount[] = []
  for (;;) {
    const page = await call('listAccounts', { signal, query: { limit: pageSize, after: all.at(-1)?.id ?? 0 } })
    all.push(...page)
    if (page.length < pageSize) return all
  }
}

function failureOf(error: unknown): AdminView['failure'] {
  if (error instanceof Unreachable) return 'unreachable'
  if (error instanceof Refused && error.status === 403) return 'denied'
  return { reason: error instanceof Error ? error.message : String(error) }
}
