import type { Knex } from 'knex'
import type { Change } from '../feed/change-feed.ts'
import { presentApplication, presentPublicBeacon } from './application-presenter.ts'
import { listDecisions, listWithVisibility } from './application-store.ts'

/** An application that was written, or deleted, and whose event it is for. */
interface Written {
  readonly id: number
  readonly organizerId: number
}

/**
 * What applications are now, by id: for the organizer of their event, and for the public while they are approved. One that is
 * gone goes out of sight, and the public sees nobody at the events of a closed account.
 */
export async function changesOfApplications(
  trx: Knex,
  written: readonly Written[],
  { isForOrganizer = true }: { readonly isForOrganizer?: boolean } = {},
): Promise<ReadonlyMap<number, readonly Change[]>> {
  if (written.length === 0) return new Map()
  const ids = [...new Set(written.map(({ id }) => id))]
  const found = new Map((await listWithVisibility(trx, ids)).map((one) => [one.row.id, one]))
  const decisions = await listDecisions(trx, [...found.keys()])
  return new Map(
    written.map(({ id, organizerId }): [number, readonly Change[]] => {
      const one = found.get(id)
      const docId = String(id)
      const whole = one && presentApplication({ row: one.row, decisions: decisions.get(id) ?? [] })
      const beacon = one && one.row.status === 'approved' && !one.isHidden ? presentPublicBeacon(one.row) : null
      const everybodys: Change = { scope: 'public', collection: 'beacons', docId, document: beacon }
      if (!isForOrganizer) return [id, [everybodys]]
      const scope = `org:${organizerId}` as const
      return [id, [{ scope, collection: 'applications', docId, document: whole ?? null }, everybodys]]
    }),
  )
}
