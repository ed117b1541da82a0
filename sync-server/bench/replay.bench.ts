import { randomUUID } from 'node:crypto'
import { headers } from '#shared/contract/request.ts'
import { maximumBatch } from '#shared/sync/replication-calls.ts'
import type { Organizer, Stage } from './stage.ts'

/** The bodies of the requests that approve all of an organizer's applications, as many in one as the server takes. */
export function approvalBatches({ userId, applicationIds }: Organizer, size = maximumBatch): string[] {
  const entries = applicationIds.map((beaconId) => ({
    key: randomUUID(),
    route: 'decideApplication',
    lane: `application:${beaconId}`,
    params: { beaconId },
    body: { status: 'approved', expectedDecisionNumber: 0 },
  }))
  const batches: string[] = []
  for (let start = 0; start < entries.length; start += size) {
    batches.push(JSON.stringify({ account: userId, entries: entries.slice(start, start + size) }))
  }
  return batches
}

/** How long the server takes for so many decisions sent in batches one after another, in milliseconds. */
export async function replayWithoutBrowser(stage: Stage, decisions: number, size?: number): Promise<number> {
  const organizer = await stage.addOrganizer(decisions)
  const cookie = `sid=${await stage.signIn(organizer.userId)}`
  const batches = approvalBatches(organizer, size)
  const start = performance.now()
  let done = 0
  for (const body of batches) {
    const answer = await fetch(`${stage.server.origin}/api/sync/mutations`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Sec-Fetch-Site': 'same-origin',
        cookie,
        [headers.deviceId]: 'bench',
      },
      body,
    })
    done += (await answer.text()).split('"status":200').length - 1
  }
  const ms = performance.now() - start
  if (done !== decisions)
    throw new Error(`only ${done} of ${decisions} decisions were taken:\n${stage.server.output()}`)
  return ms
}
