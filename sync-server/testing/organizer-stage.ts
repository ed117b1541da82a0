import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { OrganizerEvent } from '#shared/events/event-calls.ts'
import type { Config } from '../config.ts'
import { UNLIMITED } from './billing-rows.ts'
import { applicationBody, createRouteRig, eventBody, type Person, type RigAnswer, type RouteRig } from './route-rig.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts'

/** A test file's database, where each test finds its own Olivia and Otto, no event, and the real routes. */
export interface OrganizerStage extends RouteRig {
  readonly db: Knex
  readonly connectionString: string
  olivia: Person
  /** Another organizer. */
  otto: Person
  /** A number of this test's own, for names. */
  round: number
  /** Olivia gets a plan without a limit and publishes an event. */
  publish(changes?: Record<string, unknown>): Promise<OrganizerEvent>
  /** Somebody applies, Bea unless said otherwise. */
  apply(eventId: number, changes?: Record<string, unknown>): Promise<RigAnswer<'applyAsBeacon'>>
  /** `apply` that has to succeed; answers the application's id. */
  applicant(eventId: number, changes?: Record<string, unknown>): Promise<number>
  /** Olivia decides, on her phone unless said otherwise; `basis` is what the decision is made on. */
  decide(
    beaconId: number,
    wish: { readonly basis?: string | null; readonly [field: string]: unknown },
    device?: { id: string; name: string },
  ): Promise<RigAnswer<'decideApplication'>>
  /** Everything a scope's feed tells, in its order. */
  feed(scope: string): Promise<{ collection: string; docId: string; deleted: boolean; body: string | null }[]>
}

/** Sets the stage for the tests of the calling file; `config` is asked for what its server is told otherwise. */
export function setOrganizerStage(config: () => Partial<Config> = () => ({})): OrganizerStage {
  let database: TestDatabase
  const stage = {} as OrganizerStage
  Object.assign(stage, {
    round: 0,
    publish: async (changes = {}) => {
      await stage.addSubscription(stage.olivia, UNLIMITED)
      const answer = await stage.run('createEvent', { as: stage.olivia, body: eventBody(changes) })
      expect(answer.status).toBe(201)
      return answer.body
    },
    apply: async (eventId, changes = {}) =>
      await stage.run('applyAsBeacon', { params: { eventId }, body: applicationBody(changes) }),
    applicant: async (eventId, changes) => {
      const answer = await stage.apply(eventId, changes)
      expect(answer.status).toBe(201)
      return answer.body.id
    },
    decide: async (beaconId, { basis, ...body }, device = { id: 'phone', name: "Olivia's phone" }) => {
      const call = { as: stage.olivia, device, params: { beaconId }, body }
      return await stage.run('decideApplication', basis === undefined ? call : { ...call, basis })
    },
    feed: async (scope) =>
      await stage.db('sync_log').where({ scope }).orderBy('version').select('collection', 'docId', 'deleted', 'body'),
  } satisfies Partial<OrganizerStage>)

  beforeAll(async () => {
    database = await createTestDatabase()
    Object.assign(stage, database)
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    Object.assign(stage, createRouteRig(stage.db, config()))
    await stage.db('events').del()
    stage.round += 1
    stage.olivia = await stage.addPerson(`Olivia${stage.round}`)
    stage.otto = await stage.addPerson(`Otto${stage.round}`)
  })
  return stage
}

/** A server on the database of a stage, for the tests of the calling file. */
export function setServerOf(stage: OrganizerStage, options: TestServerOptions = {}): TestServer {
  const server = {} as TestServer
  beforeAll(async () => {
    Object.assign(server, await startTestServer({ db: stage.db, ...options }))
  })
  afterAll(() => server.close())
  return server
}
