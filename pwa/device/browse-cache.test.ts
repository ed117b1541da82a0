import { beforeEach, describe, expect, it } from 'vitest'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import {
  forgetEvent,
  keepBeacons,
  keepEvent,
  keepEventList,
  keptBeacons,
  keptEvent,
  keptEventList,
  maxEvents,
  browseDb,
} from './browse-cache.ts'
import { isCut, noteCut } from '../sync/http/cut-lists.ts'
import { filterByText } from '../events/search/find-events.ts'

const event = (id: number, name: string, startDate = '2026-12-01') =>
  ({
    id,
    name,
    startDate,
    endDate: startDate,
    location: 'Hall',
    description: 'Meet people',
    city: 'São Paulo',
  }) as PublicEvent
const asOf = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`

beforeEach(async () => {
  await Promise.all(browseDb.tables.map((table) => table.clear()))
})

describe('what visitors saw', () => {
  it('is listed by date and name, as of when the server said so', async () => {
    await keepEventList([event(2, 'B'), event(1, 'C'), event(3, 'A', '2026-11-30')], asOf(5))
    const kept = await keptEventList()
    expect(kept?.value.map(({ name }) => name)).toEqual(['A', 'B', 'C'])
    expect(kept?.asOf).toBe(asOf(5))
  })

  it('is known to be a part of the list, where the server had more', async () => {
    const [whole, part] = [[event(1, 'A')], [event(1, 'A')]]
    noteCut(part)
    await keepEventList(part, asOf(1))
    expect(isCut((await keptEventList())!.value)).toBe(true)
    await keepEventList(whole, asOf(2))
    expect(isCut((await keptEventList())!.value)).toBe(false)
  })

  it('leaves the list when a newer list does not have it, and still opens by its address', async () => {
    await keepEventList([event(1, 'A'), event(2, 'B')], asOf(1))
    await keepEventList([event(2, 'B')], asOf(2))
    expect((await keptEventList())?.value.map(({ id }) => id)).toEqual([2])
    expect((await keptEvent(1))?.value.name).toBe('A')
  })

  it('goes with its Beacons when the server no longer has it', async () => {
    await keepEvent(event(1, 'A'), asOf(1))
    await keepBeacons(1, [], asOf(1))
    await forgetEvent(1)
    expect([await keptEvent(1), await keptBeacons(1)]).toEqual([undefined, undefined])
  })

  it('stays bounded: what was asked for longest ago goes first', async () => {
    await keepEvent(event(9001, 'Old'), asOf(0))
    await keepEventList(
      Array.from({ length: maxEvents }, (_, index) => event(index + 1, `E${index}`)),
      asOf(9),
    )
    expect(await browseDb.events.count()).toBe(maxEvents)
    expect(await keptEvent(9001)).toBeUndefined()
  })
})

const events = [event(1, 'Founders Night'), event(2, 'Breakfast')]
it.each([
  ['', [1, 2]],
  ['founders', [1]],
  ['NIGHT fou', [1]],
  ['sao paulo breakfast', [2]],
  ['nothing', []],
])('the text filter finds %j', (text, ids) => {
  expect(filterByText(events, text).map(({ id }) => id)).toEqual(ids)
})
