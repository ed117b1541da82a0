import type { Knex } from 'knex'
import { accountChange } from '../billing/account-document.ts'
import { applicationChange, publicBeaconChange } from '../applications/application-changes.ts'
import { listDecidedApplications } from '../applications/application-store.ts'
import { recordChanges, type Change } from '../feed/change-feed.ts'
import { eventChanges } from '../events/event-changes.ts'
import { countApplications } from '../events/event-store.ts'

/**
 * Writes the change feed for every row of the database, as after seeding or a restore, in one statement per audience's
 * rows. Belongs into the transaction that wrote the rows.
 */
export async function publishEverything(trx: Knex.Transaction, now = new Date()): Promise<void> {
  const changes: Change[] = []
  const users = await trx('users').orderBy('id').select('id')
  for (const { id } of users) changes.push(await accountChange(trx, id, now))

  const events = await trx('events').orderBy('id')
  const counts = await countApplications(
    trx,
    events.map(({ id }) => id),
  )
  for (const event of events) changes.push(...eventChanges(event, counts(event.id).approvedCount))

  const organizers = new Map(events.map((event) => [event.id, event.organizer_id]))
  for (const application of await listDecidedApplications(trx, () => undefined)) {
    const organizerId = organizers.get(application.row.event_id)
    if (organizerId === undefined) continue
    changes.push(applicationChange(organizerId, application))
    if (application.row.status === 'approved') changes.push(publicBeaconChange(application))
  }
  await recordChanges(trx, changes)
}
