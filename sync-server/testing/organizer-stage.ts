import { beforeEach, expect } from 'vitest'
import type { OrganizerEvent } from '#shared/events/event-calls.ts'
import type { Config } from '../config.ts'
import type { SyncLogRow } from '../db/rows/operation-rows.ts'
import type { Device } from '../calls/handler.ts'
import { UNLIMITED } from './billing-rows.ts'
import { applicationBody, createRouteRig, eventBody, type Person, type RigAnswer, type RouteRig } from './route-rig.ts'
import { setTestDatabase } from './test-database.ts'

export type OrganizerStage = Awaited<ReturnType<typeof setOrganizerStage>>

/**
 * A database for the tests of the calling file, where each finds its own Olivia and Otto, no event, and the real routes;
 * `config` is what its server is told otherwise.
 */
export async function setOrganizerStage(config: Partial<Config> = {}) {
  const { db, connectionString } = await setTestDatabase()
  const own = {
    db,
    connectionString,
    olivia: {} as Person,
    /** Another organizer. */
    otto: {} as Person,
    /** A number of this test's own, for names. */
    round: 0,
    /** Olivia gets a plan without a limit and publishes an event. */
    publish: async (changes: Record<string, unknown> = {}): Promise<OrganizerEvent> => {
      await stage.addSubscription(stage.olivia, UNLIMITED)
      const answer = await stage.run('createEvent', { as: stage.olivia, body: eventBody(changes) })
      expect(answer.status).toBe(201)
      return answer.body
    },
    /** An application, Bea's unless said otherwise. */
    apply: async (eventId: number, changes: Record<string, unknown> = {}): Promise<RigAnswer<'applyAsBeacon'>> =>
      await stage.run('applyAsBeacon', { params: { eventId }, body: applicationBody(changes) }),
    /** `apply` that has to succeed; answers the application's id. */
    applicant: async (eventId: number, changes?: Record<string, unknown>): Promise<number> => {
      const answer = await stage.apply(eventId, changes)
      expect(answer.status).toBe(201)
      return answer.body.id
    },
    /** Olivia decides, on her phone unless said otherwise; `basis` is what the decision is made on. */
    decide: async (
      beaconId: number,
      { basis, ...body }: { readonly basis?: string | null; readonly [field: string]: unknown },
      device: Device | null = { id: 'phone', name: "Olivia's phone" },
    ): Promise<RigAnswer<'decideApplication'>> =>
      await stage.run('decideApplication', { as: stage.olivia, device, params: { beaconId }, body, basis }),
    /** Everything a scope's feed tells, in its order. */
    feed: async (scope: string): Promise<Pick<SyncLogRow, 'collection' | 'docId' | 'deleted' | 'body'>[]> =>
      await stage.db('sync_log').where({ scope }).orderBy('version').select('collection', 'docId', 'deleted', 'body'),
  }
  const stage = own as typeof own & RouteRig

  beforeEach(async () => {
    Object.assign(stage, createRouteRig(db, config))
    await db('events').del()
    stage.round += 1
    stage.olivia = await stage.addPerson(`Olivia${stage.round}`)
    stage.otto = await stage.addPerson(`Otto${stage.round}`)
  })
  return stage
}
