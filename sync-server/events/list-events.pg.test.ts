import { describe, expect, it } from 'vitest'
import { createKnex } from '../db/knex-config.ts'
import { publishOpenings } from '../testing/jobs/opening-jobs.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { createRouteRig, eventBody, openPool, type RouteRig } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()

/** The pages of a list, from the first to the last. */
async function pagesOf(
  name: 'listEvents' | 'listOrganizerEvents' | 'listApplications',
  { query = {}, id }: { query?: Record<string, string>; id?: number } = {},
) {
  const seen: { id: number; name?: string }[][] = []
  let after: Record<string, string> = {}
  do {
    const params: Record<string, number> = id === undefined ? {} : { id }
    const { body, text, next } = await stage.run(name, { as: stage.olivia, params, query: { ...query, ...after } })
    expect(text!.length).toBeLessThan(2_000_000)
    seen.push(body)
    after = next ? { after: next } : {}
  } while (after['after'] && seen.length < 9)
  return seen
}

describe('the list of events', () => {
  it('holds what is upcoming by the clock of each place, by start date and name', async () => {
    const untimed = { startTime: null, endTime: null }
    const evening = { startTime: '18:00', endTime: '21:00' }
    const night = { startTime: '20:00', endTime: '01:00' }
    await stage.publish({ name: 'Zeta', startDate: '2026-03-01', endDate: '2026-03-01', ...untimed })
    await stage.publish({ name: 'alpha', startDate: '2026-03-01', endDate: '2026-03-01', ...evening })
    await stage.publish({ name: 'moon', startDate: '2026-03-01', endDate: '2026-03-01', ...night })
    await stage.publish({
      ...untimed,
      name: 'Honolulu',
      startDate: '2026-02-28',
      endDate: '2026-02-28',
      state: 'Hawaii',
      zipCode: '96813',
      city: 'Honolulu',
    })
    const names = async (now: string, query = {}) => {
      stage.clock.now = new Date(now)
      return (await stage.run('listEvents', { query })).body.map((event) => event.name)
    }
    expect(await names('2026-03-01T05:59:59Z')).toEqual(['Honolulu', 'alpha', 'moon', 'Zeta'])
    expect(await names('2026-03-01T09:59:59Z')).toEqual(['Honolulu', 'alpha', 'moon', 'Zeta'])
    expect(await names('2026-03-01T10:00:00Z')).toEqual(['alpha', 'moon', 'Zeta'])
    expect(await names('2026-03-02T02:59:59Z')).toEqual(['alpha', 'moon', 'Zeta'])
    expect(await names('2026-03-02T03:00:00Z')).toEqual(['moon', 'Zeta'])
    expect(await names('2026-03-02T06:00:00Z'), 'a night is over after midnight').toEqual(['moon'])
    expect(await names('2026-03-02T07:00:00Z')).toEqual([])
    expect(await names('2026-02-01T00:00:00Z', { state: 'Hawaii' })).toEqual(['Honolulu'])
    expect(await names('2026-02-01T00:00:00Z', { state: '' })).toHaveLength(4)
  })

  it('reads nothing of what is too far from a ZIP code, and finds nothing near an unknown one', async () => {
    await stage.publish({ name: 'Chicago' })
    await stage.publish({ name: 'Milwaukee', zipCode: '53202', state: 'Wisconsin', city: 'Milwaukee' })
    const names = async (query: Record<string, string>) =>
      (await stage.run('listEvents', { query })).body.map((event) => event.name)
    const read: string[] = []
    const note = (response: unknown) => void read.push(JSON.stringify(response))
    stage.db.on('query-response', note)
    expect(await names({ zipCode: '60611' })).toEqual(['Chicago'])
    stage.db.removeListener('query-response', note)
    expect(read.join('')).toContain('Chicago')
    expect(read.join('')).not.toContain('Milwaukee')
    expect(await names({ zipCode: '00000', radius: '250' })).toEqual([])
    expect(await names({ zipCode: '606', radius: '250' })).toEqual([])
  })

  it('finds every word in name, place, description or city, whatever case, accents and hyphens', async () => {
    await stage.publish({ name: 'Soirée Jean-Luc', city: 'Chicago' })
    await stage.publish({ name: 'Evening', description: 'Founders 100% welcome', zipCode: '53202', state: 'Wisconsin' })
    const names = async (query: Record<string, string>) =>
      (await stage.run('listEvents', { query })).body.map((event) => event.name)
    expect(await names({ q: 'SOIREE chicago' })).toEqual(['Soirée Jean-Luc'])
    expect(await names({ q: 'jeanluc' })).toEqual(['Soirée Jean-Luc'])
    expect(await names({ q: '100%' })).toEqual(['Evening'])
    expect(await names({ q: 'founders chicago_' })).toEqual([])
    expect(await names({ q: ' ' })).toEqual(['Evening', 'Soirée Jean-Luc'])
    expect(await names({ q: 'e', state: 'Wisconsin' })).toEqual(['Evening'])
    expect(await names({ q: 'e', zipCode: '53202', radius: '10' })).toEqual(['Evening'])
    expect(await names({ q: 'soiree', zipCode: '53202', radius: '10' })).toEqual([])
    const [first, second] = await pagesOf('listEvents', { query: { q: 'e', limit: '1' } })
    expect([first, second].map((page) => page?.[0]?.name)).toEqual(['Evening', 'Soirée Jean-Luc'])
  })

  it('takes signs that a database has a meaning for as letters', async () => {
    await stage.publish({ name: 'Half', description: '50% off_season C:\\new' })
    await stage.publish({ name: 'Plain', description: '50 offXseason C:new' })
    const answer = async (q: string) => {
      const { body } = await stage.run('listEvents', { query: { q } })
      return body.map(({ name }) => name)
    }
    for (const q of ['50%', 'f_s', ':\\n', '50 C:\\']) expect(await answer(q), q).toEqual(['Half'])
    expect(await answer('50 season')).toEqual(['Half', 'Plain'])
    expect((await stage.run('listEvents', { query: { q: 'a\0b' } })).body).toEqual([])
  })

  it('finds the event that comes after the five hundred of a device, also near a ZIP code', async () => {
    const { id } = await stage.publish({ name: 'Meetup', startDate: '2099-03-01', endDate: '2099-03-01' })
    await stage.db.raw(
      `insert into events select copy.* from events e, generate_series(1, 500) n, jsonb_populate_record(e, jsonb_build_object('id', e.id + n)) copy
       where e.id = ?`,
      [id],
    )
    await stage.db.raw(
      `insert into sync_log select copy.* from sync_log l, generate_series(1, 500) n, jsonb_populate_record(l,
         jsonb_build_object('doc_id', (l.doc_id::bigint + n)::text, 'version', l.version + 1000 + n)) copy
       where l.scope = 'public' and l.collection = 'events' and l.doc_id = ?::text`,
      [id],
    )
    const last = await stage.publish({ name: 'Łódź Lantern', startDate: '2099-03-02', endDate: '2099-03-02' })
    const ids = async (query: Record<string, string>) =>
      (await stage.run('listEvents', { query })).body.map((event) => event.id)
    const device = await ids({ limit: '500' })
    expect([device.length, device.includes(last.id)]).toEqual([500, false])
    expect(await ids({ q: 'lantern lodz' })).toEqual([last.id])
    expect(await ids({ q: 'LODZ', zipCode: '60611', radius: '10' })).toEqual([last.id])
    expect(await ids({ q: 'lodz', zipCode: '53202', radius: '10' })).toEqual([])
  })

  it('finds an edited event by its new words alone, and a hidden one not at all', async () => {
    const event = await stage.publish({ name: 'Zebra night' })
    const found = async (q: string) => (await stage.run('listEvents', { query: { q } })).body.length
    await stage.run('updateEvent', {
      as: stage.olivia,
      params: { id: event.id },
      body: eventBody({ name: 'Lantern night' }),
    })
    expect([await found('zebra'), await found('lantern')]).toEqual([0, 1])
    await stage.run('updateEvent', {
      as: stage.olivia,
      params: { id: event.id },
      body: eventBody({ name: 'Lantern night', visibility: 'unlisted' }),
    })
    expect(await found('lantern')).toBe(0)
  })

  it('has pages of 2 MB, each with the way to the next, whose events are those of one list', async () => {
    const long = 'x'.repeat(4000)
    const names = Array.from({ length: 24 }, (_, n) => `Event ${String(n).padStart(2, '0')} Émile`)
    for (const name of names) await stage.publish({ name, description: long })
    await stage.db.raw("update sync_log set body = replace(body, ?, ?) where scope = 'public'", [long, long.repeat(25)])
    for (const [query, limits] of [
      [{}, [19, 5]],
      [{ limit: '10' }, [10, 10, 4]],
      [{ zipCode: '60611' }, [19, 5]],
    ] as [Record<string, string>, number[]][]) {
      const seen = await pagesOf('listEvents', { query })
      expect(seen.map(({ length }) => length)).toEqual(limits)
      expect(seen.flat().map(({ name }) => name)).toEqual(names)
    }
    for (const place of [
      'x',
      '2026-99-99 1 a',
      '2026-02-31 1 a',
      '2026-00-00 1 a',
      '0000-01-01 1 a',
      '2026-02-29 1 a',
    ]) {
      const after = Buffer.from(place).toString('base64url')
      const { status, body } = await stage.run('listEvents', { query: { after } })
      expect([status, body.code], place).toEqual([400, 'invalid_input'])
    }
    expect((await stage.run('listEvents', { query: { after: 'x' } })).status).toBe(400)
  })

  it("and so have an organizer's own lists, whose pages are those of one list", async () => {
    const events: { id: number }[] = []
    for (const name of ['One', 'Two', 'Three']) events.push(await stage.publish({ name, startDate: '2099-03-01' }))
    const eventId = events[0]!.id
    const people = ['ana', 'ben', 'cleo', 'dora', 'eve']
    for (const name of people) await stage.applicant(eventId, { email: `${name}@example.com` })
    const lists = async () => [await pagesOf('listOrganizerEvents'), await pagesOf('listApplications', { id: eventId })]
    const whole = await lists()
    expect(whole.map((seen) => seen.map(({ length }) => length))).toEqual([[3], [5]])
    // As if each document were of 900 kB.
    await stage.db.raw("update sync_log set body = rpad(body, 900000) where scope like 'org:%'")
    const cut = await lists()
    expect(cut.map((seen) => seen.map(({ length }) => length))).toEqual([
      [2, 1],
      [2, 2, 1],
    ])
    expect(cut.map((seen) => seen.flat())).toEqual(whole.map((seen) => seen.flat()))
  })

  it('goes on from events that run to those that come, one by one, also in a state', async () => {
    stage.clock.now = new Date('2026-03-10T12:00:00Z')
    const dates = [
      ['Running', '2026-03-01', '2026-03-20'],
      ['Today', '2026-03-10', '2026-03-10'],
      ['Tomorrow', '2026-03-11', '2026-03-11'],
      ['Soon', '2026-03-12', '2026-03-12'],
      ['Later', '2026-03-30', '2026-04-01'],
    ]
    for (const [name, startDate, endDate] of dates) await stage.publish({ name, startDate, endDate })
    await stage.publish({ name: 'Over', startDate: '2026-03-08', endDate: '2026-03-08' })
    for (const query of [{ limit: '1' }, { limit: '1', state: 'Illinois' }]) {
      const seen = await pagesOf('listEvents', { query })
      expect(seen.map((page) => page.map(({ name }) => name))).toEqual(dates.map(([name]) => [name]))
    }
  })

  it('lets a past event be reached by its address, and knows no missing one', async () => {
    const event = await stage.publish({ startDate: '2020-01-01', endDate: '2020-01-01' })
    expect((await stage.run('getEvent', { params: { id: event.id } })).status).toBe(200)
    expect((await stage.run('getEvent', { params: { id: 999_999 } })).body.code).toBe('not_found')
  })
})

describe('the list of events, which is kept as text', () => {
  const names = async (from: Pick<RouteRig, 'run'> = stage) =>
    (await from.run('listEvents')).body.map(({ name }) => name)

  it('shows at once what another process published, changed or deleted', async () => {
    const other = createKnex(stage.connectionString)
    try {
      const elsewhere = createRouteRig(other)
      const event = await stage.publish({ name: 'First' })
      expect([await names(), await names(elsewhere)]).toEqual([['First'], ['First']])
      const body = eventBody({ name: 'Renamed' })
      await elsewhere.run('updateEvent', { as: stage.olivia, params: { id: event.id }, body })
      expect(await names()).toEqual(['Renamed'])
      await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })
      expect([await names(), await names(elsewhere)]).toEqual([[], []])
    } finally {
      await other.destroy()
    }
  })

  it('has no next page any more once the event of that page is over', async () => {
    const evening = { startDate: '2026-03-01', startTime: '10:00' }
    await stage.publish({ ...evening, name: 'Ends late', endDate: '2026-03-02', endTime: '21:00' })
    await stage.publish({ ...evening, name: 'Ends soon', endDate: '2026-03-01', endTime: '12:00' })
    const nextAt = async (now: string) => {
      stage.clock.now = new Date(now)
      return (await stage.run('listEvents', { query: { limit: '1' } })).next !== undefined
    }
    const times = ['2026-03-01T17:59:59Z', '2026-03-01T18:00:00Z']
    expect([await nextAt(times[0]!), await nextAt(times[1]!)]).toEqual([true, false])
  })

  it('shows to everyone who asks at the same moment what was committed before', async () => {
    for (const name of ['One', 'Two', 'Three']) {
      await stage.publish({ name })
      const lists = await Promise.all(Array.from({ length: 20 }, () => names()))
      for (const list of lists) expect(list).toContain(name)
    }
  })
})

const counts = async () => {
  await publishOpenings(stage.db)
  return (await stage.run('listEvents')).body.map(({ beaconCount }) => beaconCount)
}

it('the list tells how many Beacons guests will meet after each decision and answer', async () => {
  const { id: eventId } = await stage.publish()
  expect(await counts()).toEqual([0])
  const { body: bea } = await stage.apply(eventId)
  const token = bea.token
  const bo = await stage.applicant(eventId, { email: 'bo@example.com' })
  expect(await counts()).toEqual([0])
  await stage.decide(bea.id, { status: 'approved' })
  const approved = await stage.decide(bo, { status: 'approved' })
  expect(await counts()).toEqual([2])
  await stage.run('sayComing', { body: { token, coming: false } })
  expect(await counts()).toEqual([1])
  await stage.run('sayComing', { body: { token, coming: true } })
  expect(await counts()).toEqual([2])
  await stage.decide(bo, { status: 'rejected', basis: approved.body.basis })
  expect(await counts()).toEqual([1])
  await stage.run('withdrawApplication', { body: { token } })
  expect(await counts()).toEqual([0])
})

it('decisions that arrive together each count the others; a rejection presents nothing anew', async () => {
  const { id: eventId } = await stage.publish({ maxBeacons: 6 })
  const ids: number[] = []
  for (let index = 0; index < 6; index += 1) {
    stage.clock.now = new Date(stage.clock.now.getTime() + 1)
    ids.push(await stage.applicant(eventId, { email: `ben-${index}@example.com` }))
  }
  const version = async () => (await stage.db('sync_scope').where({ scope: 'public' }).first('version'))?.version
  const before = await version()
  await stage.decide(await stage.applicant(eventId), { status: 'rejected' })
  await publishOpenings(stage.db)
  expect(await version()).toBe(before)
  await openPool(stage.db)
  await Promise.all(ids.map((id) => stage.decide(id, { status: 'approved' })))
  expect(await counts()).toEqual([6])
  expect((await stage.run('getEvent', { params: { id: eventId } })).body.applicationsClosed).toBe(true)
  const { body: beacons } = await stage.run('listBeacons', { params: { id: eventId } })
  expect(
    beacons.map(({ id }) => id),
    'guests see them in the order in which they applied',
  ).toEqual(ids)
})
