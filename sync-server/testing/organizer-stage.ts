import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { OrganizerEvent } from '#shared/events/event-calls.ts'
import { applicationBody, createRouteRig, eventBody, type Person, type RigAnswer, type RouteRig } from './route-rig.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** A test file's database, where each test finds its own Olivia and Otto, no event, and the real routes. */
export interface OrganizerStage extends RouteRig {
  readonly db: Knex
  readonly connectionString: string
  readonly olivia: Person
  /** Another organizer. */
  readonly otto: Person
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

/** Sets the stage for the tests of the calling file. */
export function setOrganizerStage(): OrganizerStage {
  let database: TestDatabase
  let rig: RouteRig
  let olivia: Person
  let otto: Person
  let round = 0

  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    rig = createRouteRig(database.db)
    round += 1
    await database.db('events').del()
    olivia = await rig.addPerson(`Olivia${round}`)
    otto = await rig.addPerson(`Otto${round}`)
  })

  const apply: OrganizerStage['apply'] = async (eventId, changes = {}) =>
    await rig.run('applyAsBeacon', { params: { eventId }, body: applicationBody(changes) })
  return {
    get db() {
      return database.db
    },
    get connectionString() {
      return database.connectionString
    },
    get olivia() {
      return olivia
    },
    get otto() {
      return otto
    },
    get clock() {
      return rig.clock
    },
    get spent() {
      return rig.spent
    },
    run: (name, call) => rig.run(name, call),
    addPerson: (username, options) => rig.addPerson(username, options),
    addSubscription: (person, planId, columns) => rig.addSubscription(person, planId, columns),
    publish: async (changes = {}) => {
      await rig.addSubscription(olivia, 3)
      const answer = await rig.run('createEvent', { as: olivia, body: eventBody(changes) })
      expect(answer.status).toBe(201)
      return answer.body
    },
    apply,
    applicant: async (eventId, changes) => {
      const answer = await apply(eventId, changes)
      expect(answer.status).toBe(201)
      return answer.body.id
    },
    decide: async (beaconId, { basis, ...body }, device = { id: 'phone', name: "Olivia's phone" }) => {
      const call = { as: olivia, device, params: { beaconId }, body }
      return await rig.run('decideApplication', basis === undefined ? call : { ...call, basis })
    },
    feed: async (scope) =>
      await database
        .db('sync_log')
        .where({ scope })
        .orderBy('version')
        .select('collection', 'docId', 'deleted', 'body'),
  }
}
