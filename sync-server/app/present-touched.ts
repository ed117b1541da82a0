import type { Knex } from 'knex'
import { changesOfApplications } from '../applications/application-presenter.ts'
import { accountChange } from '../billing/account-document.ts'
import { placeOfTouched, type PresentTouched, type Touched } from '../calls/touched.ts'
import { changesOfEvents } from '../events/event-presenter.ts'
import { recordChanges, type Change } from '../feed/change-feed.ts'

type Owned = Exclude<Touched, { readonly what: 'account' }>

/** The one place that knows who sees what; see `PresentTouched`. */
export const presentTouched: PresentTouched = async (trx, touched, now) => {
  const kinds = (what: Owned['what']) => touched.filter((one): one is Owned => one.what === what)
  const found = new Map<string, readonly Change[]>()
  const keep = (what: Touched['what'], changes: ReadonlyMap<number, readonly Change[]>) => {
    for (const [id, list] of changes) found.set(placeOfTouched({ what, id } as Touched), list)
  }
  // Users are locked before the scopes of the feed are, in the order of their numbers.
  const users = new Set(touched.flatMap(({ what, id }) => (what === 'account' ? [id] : [])))
  for (const id of [...users].sort((one, other) => one - other)) {
    keep('account', new Map([[id, [await accountChange(trx, id, now)]]]))
  }
  keep('application', await changesOfApplications(trx, kinds('application')))
  keep('event', await changesOfEvents(trx, kinds('event')))
  keep('opening', await changesOfEvents(trx, kinds('opening'), { isForOrganizer: false }))
  return touched.map((one) => found.get(placeOfTouched(one)) ?? [])
}

/**
 * Writes the change feed for every row of the database, as after seeding or a restore, in one statement per audience's
 * rows. Belongs into the transaction that wrote the rows.
 */
export async function publishEverything(trx: Knex.Transaction, now = new Date()): Promise<void> {
  const users = await trx('users').orderBy('id').select('id')
  const events = await trx('events').orderBy('id').select('id', 'organizerId')
  const applications: { id: number; organizerId: number }[] = await trx('applications as a')
    .join('events as e', 'e.id', 'a.eventId')
    .orderBy('a.id')
    .select('a.id', 'e.organizerId')
  const everything: Touched[] = [
    ...users.map(({ id }) => ({ what: 'account' as const, id })),
    ...events.map((row) => ({ what: 'event' as const, id: row.id, organizerId: row.organizerId })),
    ...applications.map((row) => ({ what: 'application' as const, id: row.id, organizerId: row.organizerId })),
  ]
  await recordChanges(trx, (await presentTouched(trx, everything, now)).flat())
}
