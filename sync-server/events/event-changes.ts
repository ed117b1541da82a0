import type { Knex } from 'knex'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { Change } from '../feed/change-feed.ts'
import { presentOrganizerEvent, presentPublicEvent } from './event-presenter.ts'
import { countApplications } from './event-store.ts'

/** An event that was written, or deleted, and whose it is. */
interface Written {
  readonly id: number
  readonly organizerId: number
}

/**
 * What events are now, for their organizer and the public; by id. One that is gone goes out of sight, and the public does not
 * see those of a closed account.
 */
export async function changesOfEvents(
  trx: Knex,
  written: readonly Written[],
  { isForOrganizer = true }: { readonly isForOrganizer?: boolean } = {},
): Promise<ReadonlyMap<number, readonly Change[]>> {
  if (written.length === 0) return new Map()
  const ids = [...new Set(written.map(({ id }) => id))]
  const rows: (EventRow & { readonly isHidden: boolean })[] = await trx('events as e')
    .join('users as u', 'u.id', 'e.organizerId')
    .whereRaw('e.id = any(?)', [ids as unknown as Knex.Value])
    .select('e.*', trx.raw('u.closed_at is not null as is_hidden'))
  const found = new Map(rows.map((row) => [row.id, row]))
  const counts = await countApplications(trx, [...found.keys()])
  return new Map(
    written.map(({ id, organizerId }): [number, readonly Change[]] => {
      const row = found.get(id)
      const docId = String(id)
      const organizers: Change = {
        scope: `org:${organizerId}`,
        collection: 'events',
        docId,
        document: row ? presentOrganizerEvent(row) : null,
      }
      const shown = row && !row.isHidden ? presentPublicEvent(row, counts(id).approvedCount) : null
      const everybodys: Change = { scope: 'public', collection: 'events', docId, document: shown }
      return [id, isForOrganizer ? [organizers, everybodys] : [everybodys]]
    }),
  )
}
