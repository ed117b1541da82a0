import { expect, it } from 'vitest'
import { findEvents } from '../../pwa/events/search/find-events.ts'
import { readSearch } from '../../pwa/events/search/served-search.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { radiusChoicesMiles } from '#shared/events/event-search.ts'
import { byStart } from '#shared/events/by-start.ts'
import type { Coordinates } from '#shared/places/zip-table.ts'
import { mainZoneOf, usStates } from '#shared/places/us-states.ts'
import { mergedZipCentres } from '../../scripts/make-zip-table.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { createChance, seededRandom } from '../../pwa/sync/testing/simulation/sim-world.ts'
import { sized } from '../testing/proof-size.ts'
import { eventBody } from '../testing/route-rig.ts'
import { zipCentre } from './event-place.ts'
import { publishEverything } from '../app/nouns.ts'
import { newKeyPair } from '../db/key-pair.ts'

const stage = await setOrganizerStage()
const eventCount = 1_000
const searchCount = sized(60, 20)
/** The table rounds both ends of a distance, each by half a mile at most. */
const roundingMiles = 1

const idsOf = (events: readonly PublicEvent[]) => events.map(({ id }) => id)
const random = createChance(seededRandom(20_261_121))

/** Where many events are, single buildings and leading zeros among them. */
const crowded: readonly [string, ...string[]] = ['60611', '10118', '94103', '20001', '20500', '00601', '99501', '02108']
/** Where the packages themselves say a code is, without the table and its rounding. */
const truth = mergedZipCentres()
const allCodes = [...truth.keys()] as [string, ...string[]]

/** Miles by the angle between unit vectors: another formula than the searched one's. */
function vectorMiles(one: Coordinates, other: Coordinates): number {
  const vector = ({ latitude, longitude }: Coordinates) => {
    const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)] as const
  }
  const [a, b, c] = vector(one)
  const [x, y, z] = vector(other)
  const cross = Math.hypot(b * z - c * y, c * x - a * z, a * y - b * x)
  return 3958.7613 * Math.atan2(cross, a * x + b * y + c * z)
}

interface Placed {
  readonly id: number
  readonly zipCode: string | null
  readonly state: string | null
}

/** A thousand events: some beside each other, one in twenty without a ZIP code, some in Washington, DC, which is no state. */
async function publishRandomEvents(): Promise<Placed[]> {
  const rows = await Promise.all(
    Array.from({ length: eventCount }, async (_, index) => {
      const zipCode = random.chance(0.05) ? null : random.chance(0.2) ? random.pick(crowded) : random.pick(allCodes)
      const state = zipCode === '20500' ? null : random.pick(usStates)
      const centre = zipCode === null ? undefined : await zipCentre(zipCode)
      return {
        ...eventBody(),
        ...newKeyPair(),
        organizerId: stage.olivia.userId,
        name: `${random.pick(['alpha', 'Beta', 'Ångström', 'zeta'])} ${index}`,
        startDate: `2099-03-${10 + (index % 7)}`,
        endDate: '2099-03-20',
        state,
        zipCode,
        timeZone: mainZoneOf(state),
        latitude: centre?.latitude ?? null,
        longitude: centre?.longitude ?? null,
      }
    }),
  )
  await stage.db.batchInsert('events', rows, 200)
  await stage.db.transaction(async (trx) => await publishEverything(trx))
  const made = await stage.db('events').select('id', 'zipCode', 'state')
  return made.map(({ id, zipCode, state }) => ({ id, zipCode: zipCode, state }))
}

it('among 1,000 events, server and phone find what a plain loop over the ZIP codes finds', async () => {
  const events = await publishRandomEvents()
  const all = (await stage.run('listEvents')).body as PublicEvent[]
  expect(all).toHaveLength(eventCount)
  expect(idsOf(all.toSorted(byStart)), 'phones keep them in the same order').toEqual(idsOf(all))
  const wrong: string[] = []
  let found = 0
  let nearTheEdge = 0
  for (let round = 0; round < searchCount; round += 1) {
    const zipCode = crowded[round] ?? random.pick(allCodes)
    const radius = random.pick(radiusChoicesMiles)
    const state = random.chance(0.25) ? random.pick(usStates) : ''
    const query = { zipCode, radius: String(radius), ...(state && { state }) }
    const answered = idsOf((await stage.run('listEvents', { query })).body as PublicEvent[])

    const from = truth.get(zipCode)
    const centre = await zipCentre(zipCode)
    if (!from || !centre) throw new Error(`${zipCode} is no ZIP code`)
    const ids = new Set(answered)
    for (const event of events) {
      const place = event.zipCode === null ? undefined : truth.get(event.zipCode)
      const miles = place ? vectorMiles(from, place) : Infinity
      const fits = miles <= radius && (state === '' || event.state === state)
      if (Math.abs(miles - radius) <= roundingMiles) nearTheEdge += 1
      else if (ids.has(event.id) !== fits)
        wrong.push(`${miles} miles from ${zipCode} within ${radius}, ${event.state} in ${state}: ${ids.has(event.id)}`)
    }
    found += ids.size

    const list = { answer: all, asOf: '2099-03-01T00:00:00Z', failure: null }
    const served = { answer: null, asOf: null, failure: null }
    const offline = findEvents(
      { list, served, zip: { state: 'known', centre } },
      readSearch(new URLSearchParams(query)),
      '',
      new Date('2099-03-01T12:00:00Z'),
    )
    expect(offline.status === 'ready' && offline.events.map(({ event }) => event.id)).toEqual(answered)
  }
  expect(wrong).toEqual([])
  expect(found).toBeGreaterThan(500)
  expect(nearTheEdge).toBeLessThan(found / 5)
})
