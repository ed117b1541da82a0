import {
  type Entry,
  type Kept,
  type Receipt,
  applyAsBeacon,
  type CorrectApplication,
  isOwnMutation,
  outbox,
  outboxStore,
  fetchQueue,
  fetchDeviceRows,
} from '../sync/index.ts'
import { rememberForgotten } from './forgotten-tokens.ts'
import { stopTelling } from './applicant-alerts.ts'
import { readTold } from './told-applications.ts'

export type KeptApplication =
  | { readonly eventId: number; readonly applicationId: number; readonly token: string }
  | { readonly eventId: number; readonly entryKey: string }

export type UnsentChanges = 'send-first' | 'discard'

export const ownApplicationSetting = (token: string) => `own-application/${token}`

const isAbout = (application: KeptApplication) => (change: Pick<Entry, 'key' | 'mutation' | 'args'>) => {
  if ('entryKey' in application) return change.key === application.entryKey
  const { applicationId } = (change.args ?? {}) as Partial<CorrectApplication>
  return isOwnMutation(change.mutation) && applicationId === application.applicationId
}

const isReceiptOf =
  (application: KeptApplication) =>
  (receipt: Receipt): boolean => {
    if ('entryKey' in application) return receipt.key === application.entryKey
    if (isAbout(application)(receipt)) return true
    const { id } = (receipt.answer ?? {}) as { id?: unknown }
    return receipt.mutation === applyAsBeacon.name && id === application.applicationId
  }

/** Also those of which this device does not know whether they arrived. */
export const unsentOf = (entries: readonly Entry[], application: KeptApplication): Entry[] =>
  entries.filter(isAbout(application))

export const isRefused = ({ state }: Entry) => state === 'parked' || state === 'blocked'

/**
 * Removes drafts, tokens, answers and alerts of an application from this device.
 * @param unsent unsent changes leave first, or are never sent
 * @throws when only the server can end its alerts here
 */
export async function forgetApplication(application: KeptApplication, unsent: UnsentChanges): Promise<void> {
  if ('applicationId' in application) await stopTellingOf(application)
  // First: then no answer to a change that has left is kept either.
  await outboxStore.change('all', ({ entries }) => ({
    put: unsentOf(entries, application).map((entry) => ({ ...entry, forget: true as const })),
    result: undefined,
  }))
  const waiting = unsentOf(await outbox.pendingFor(null), application)
  for (const entry of waiting) if (unsent === 'discard' || isRefused(entry)) await outbox.discard(entry.seq)
  const tokens = new Set<string>('token' in application ? [application.token] : [])
  // Before anything is removed: no answer that comes meanwhile is kept.
  rememberForgotten([...tokens])
  await removeReceipts(application, tokens)
  await removeKept(application, tokens)
  rememberForgotten([...tokens])
}

async function stopTellingOf({ applicationId, token }: { applicationId: number; token: string }): Promise<void> {
  if ((await readTold())[applicationId]) await stopTelling({ applicationId, token })
}

async function removeReceipts(application: KeptApplication, tokens: Set<string>): Promise<void> {
  const [{ outboxDatabase }, { takeReceipts }] = await Promise.all([fetchQueue(), fetchDeviceRows()])
  for (const { args, answer } of await takeReceipts(outboxDatabase, isReceiptOf(application))) {
    for (const { token } of [args, answer] as { token?: unknown }[]) if (typeof token === 'string') tokens.add(token)
  }
}

async function removeKept(application: KeptApplication, tokens: Set<string>): Promise<void> {
  const { deviceDb } = await import('./device-tables.ts')
  const { eventId } = application
  await deviceDb.transaction('rw', deviceDb.drafts, deviceDb.settings, async () => {
    await deviceDb.drafts.where('key').startsWith(`visitor/apply/${eventId}/`).delete()
    await deviceDb.drafts.delete(`visitor/apply/${eventId}`)
    if (!('applicationId' in application)) return
    await deviceDb.drafts.delete(`visitor/own-application/${application.applicationId}`)
    const prefix = ownApplicationSetting('')
    for (const { name, value } of await deviceDb.settings.where('name').startsWith(prefix).toArray()) {
      const { value: kept } = (value ?? {}) as Partial<Kept<{ id?: unknown }>>
      if (kept?.id !== application.applicationId) continue
      tokens.add(name.slice(prefix.length))
      await deviceDb.settings.delete(name)
    }
  })
}
