import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { beforeEach } from 'vitest'
import { applicationBody, eventBody } from './route-rig.ts'
import { setTestServer, type TestAnswer } from './test-server.ts'

/**
 * A server behind a proxy for the tests of the calling file, where each finds allowances untouched and an event of Olivia's
 * that anybody may apply to; `changes` are what is special about its events.
 */
export async function setVisitedEvent(changes: Record<string, unknown> = {}) {
  const server = await setTestServer({ config: { proxies: 1 } })
  const olivia = await server.addOrganizer('Olivia')
  const stage = {
    server,
    olivia,
    eventId: 0,
    /** Olivia publishes another one; answers its id. */
    publish: async (): Promise<number> => (await olivia.ok('createEvent', { body: eventBody(changes) })).id,
    /** A visitor applies from an address, each time in another name unless told otherwise. */
    apply: async (address: string, application: Record<string, unknown> = {}, eventId?: number): Promise<TestAnswer> =>
      await server.call('applyAsBeacon', {
        params: { eventId: eventId ?? stage.eventId },
        body: applicationBody({ email: `${randomUUID()}@example.com`, ...application }),
        headers: { 'x-forwarded-for': address },
      }),
  }
  beforeEach(async () => {
    await server.db('rate_limits').del()
    stage.eventId = await stage.publish()
  })
  return stage
}

/** Does so many things, fifty at a time unless told otherwise; answers how often each status came. */
export async function crowd(
  size: number,
  act: (n: number) => Promise<{ status: number }>,
  atOnce = 50,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let start = 0; start < size; start += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, size - start) }, (_, n) => act(start + n))
    for (const { status } of await Promise.all(some)) statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

/** As if whoever has begun to use an allowance had used so much of it, and so much of what is on top for a crowd. */
export async function useUp(db: Knex, allowance: string, points: number, burstPoints: number): Promise<void> {
  await db('rate_limits').where('key', 'like', `${allowance}:%`).update({ points })
  await db.raw(`insert into rate_limits select replace(key, ?, ?), ?::int, expire from rate_limits where key like ?`, [
    allowance,
    `${allowance}-burst`,
    burstPoints,
    `${allowance}:%`,
  ] as Knex.Value[])
}
