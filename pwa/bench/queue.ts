import type { Page } from 'playwright/test'
import type { Organizer, Stage } from '../../sync-server/bench/stage.ts'
import { approvalOf } from './approval.ts'

type Decisions = Pick<Organizer, 'userId' | 'eventId' | 'applicationIds'>

/** Puts approvals of these applications into the page's queue where and as the app itself keeps them, in one transaction. */
export async function queueApprovals(page: Page, { userId, eventId, applicationIds }: Decisions): Promise<void> {
  await page.evaluate(
    async ({ userId, approvals }) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('beaconry-outbox')
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error ?? new Error('IndexedDB does not open'))
      })
      await new Promise<void>((resolve, reject) => {
        const writing = database.transaction('entries', 'readwrite')
        for (const args of approvals) {
          writing.objectStore('entries').add({
            key: crypto.randomUUID(),
            userId,
            owner: userId,
            lane: `application:${args.applicationId}`,
            mutation: 'decide-application',
            args,
            argsVersion: 1,
            createdAt: new Date().toISOString(),
            state: 'queued',
            attempts: 0,
            nextAt: 0,
          })
        }
        writing.oncomplete = () => resolve()
        writing.onerror = () => reject(writing.error ?? new Error('IndexedDB does not write'))
      })
      database.close()
    },
    { userId, approvals: applicationIds.map((id) => approvalOf({ eventId }, id)) },
  )
}

/** Throws unless each of the applications was approved, by exactly one decision. */
export async function requireEachApprovedOnce(
  db: Stage['db'],
  { eventId, applicationIds }: Pick<Decisions, 'eventId' | 'applicationIds'>,
): Promise<void> {
  const made = await db('applications')
    .where({ eventId, status: 'approved', decisionNumber: 1 })
    .whereIn('id', [...applicationIds])
  if (made.length !== applicationIds.length)
    throw new Error(`${made.length} of ${applicationIds.length} decisions were made exactly once`)
}
