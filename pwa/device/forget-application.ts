import { type Entry, mutations, forgetVisitorChanges } from '../sync/index.ts'
import { stopTelling } from './alerts/applicant-alerts.ts'
import { ownApplicationSetting } from './opened-applications.ts'
import { readTold } from './alerts/told-applications.ts'

export type KeptApplication =
  | { readonly eventId: number; readonly applicationId: number; readonly token: string }
  | { readonly eventId: number; readonly entryKey: string }

export type UnsentChanges = 'send-first' | 'discard'

const ownMutations = new Set(Object.values(mutations).flatMap(({ isOwn, name }) => (isOwn ? [name] : [])))

/** It is true if an applicant made the change, not an organizer. */
export const isOwnChange = ({ mutation }: Pick<Entry, 'mutation'>) => ownMutations.has(mutation)

/** A receipt of its first sending names the application in its answer. */
const isAbout =
  (application: KeptApplication) =>
  (change: Pick<Entry, 'key' | 'mutation' | 'args'> & { readonly answer?: unknown }): boolean => {
    if ('entryKey' in application) return change.key === application.entryKey
    const { applicationId } = (change.args ?? {}) as Partial<mutations.CorrectApplication>
    if (isOwnChange(change) && applicationId === application.applicationId) return true
    const { id } = (change.answer ?? {}) as { id?: unknown }
    return change.mutation === mutations.applyAsBeacon.name && id === application.applicationId
  }

/** Includes those of which this device does not know whether they arrived. */
export const unsentOf = (entries: readonly Entry[], application: KeptApplication): Entry[] =>
  entries.filter(isAbout(application))

export const isRefused = ({ state }: Entry) => state === 'parked' || state === 'blocked'

/**
 * Removes drafts, tokens, answers and alerts of an application from this device.
 * @param unsent unsent changes leave first, or are never sent
 * @throws when only the server can end its alerts here
 */
export async function forgetApplication(application: KeptApplication, unsent: UnsentChanges): Promise<void> {
  if ('applicationId' in application && (await readTold())[application.applicationId]) await stopTelling(application)
  await forgetVisitorChanges(isAbout(application), (entry) => unsent === 'discard' || isRefused(entry))
  await removeKept(application)
}

async function removeKept(application: KeptApplication): Promise<void> {
  const { deviceDb } = await import('./device-tables.ts')
  const { takeInLeftDrafts } = await import('./left-drafts.ts')
  const { eventId } = application
  await takeInLeftDrafts(deviceDb.drafts)
  await deviceDb.transaction('rw', deviceDb.drafts, deviceDb.settings, async () => {
    await deviceDb.drafts.where('key').startsWith(`visitor/apply/${eventId}/`).delete()
    await deviceDb.drafts.delete(`visitor/apply/${eventId}`)
    if (!('applicationId' in application)) return
    await deviceDb.drafts.delete(`visitor/own-application/${application.applicationId}`)
    await deviceDb.settings
      .where('name')
      .startsWith(ownApplicationSetting(''))
      .filter(({ value }) => (value as { value?: { id?: unknown } }).value?.id === application.applicationId)
      .delete()
  })
}
