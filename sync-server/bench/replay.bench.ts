import { randomUUID } from 'node:crypto'
import { maxBatch } from '#shared/sync/replication-calls.ts'
import type { Organizer } from './stage.ts'

/** The bodies of the requests that approve all of an organizer's applications, as many in one as the server takes. */
export function approvalBatches({ userId, applicationIds }: Organizer): string[] {
  const entries = applicationIds.map((beaconId) => ({
    key: randomUUID(),
    route: 'decideApplication',
    lane: `application:${beaconId}`,
    params: { beaconId },
    body: { status: 'approved' },
  }))
  const batches: string[] = []
  for (let start = 0; start < entries.length; start += maxBatch) {
    batches.push(JSON.stringify({ account: userId, entries: entries.slice(start, start + maxBatch) }))
  }
  return batches
}
