import { expect, it } from 'vitest'
import { mayBeArchived } from '#shared/applications/archive.ts'
import { publishEverything } from '../app/nouns.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { archiveApplications } from './archive.ts'

const now = new Date('2026-11-21T15:30:00Z')
const stage = await setOrganizerStage()

/** An event with an approved, a rejected and a pending applicant. */
async function threeApplied(endDate: string) {
  const { id } = await stage.publish()
  const ids: number[] = []
  for (const name of ['Ann', 'Bo', 'Cy'])
    ids.push(await stage.applicant(id, { firstName: name, email: `${name}@example.com` }))
  const [approved = 0, rejected = 0, pending = 0] = ids
  await stage.decide(approved, { status: 'approved' })
  await stage.decide(rejected, { status: 'rejected' })
  await move(id, endDate)
  return { id, approved, rejected, pending }
}

const move = async (id: number, endDate: string) =>
  await stage.db('events').where({ id }).update({ startDate: endDate, endDate })

/** The applications that a device of the organizer has copies of. */
async function copied() {
  const feed = await stage.feed(`org:${stage.olivia.userId}`)
  return feed
    .filter(({ collection, deleted }) => collection === 'applications' && !deleted)
    .map(({ docId }) => Number(docId))
    .toSorted((one, other) => one - other)
}
const sorted = (...ids: number[]) => ids.toSorted((one, other) => one - other)

it('takes decided applications from devices after 31 days, and guests keep seeing the Beacon', async () => {
  const old = await threeApplied('2026-10-21')
  const recent = await threeApplied('2026-10-22')
  const everybodys = await stage.feed('public')
  expect(await archiveApplications(stage.db, now)).toBe(2)
  expect(await copied()).toEqual(sorted(old.pending, recent.approved, recent.rejected, recent.pending))
  expect(await stage.feed('public'), 'nothing changed for guests').toEqual(everybodys)
  expect(await archiveApplications(stage.db, now), 'once').toBe(0)

  for (const zone of [-12, 14]) {
    const today = new Date(now.getTime() + zone * 3_600_000).toISOString().slice(0, 10)
    expect(mayBeArchived({ endDate: '2026-10-21' }, today), 'devices know that they lack some').toBe(true)
  }
  const listed = await stage.run('listApplications', { as: stage.olivia, params: { id: old.id } })
  expect(listed.body.map(({ id }) => id)).toEqual(sorted(old.approved, old.rejected, old.pending))

  await stage.decide(old.approved, { status: 'rejected' })
  expect(await copied(), 'a decision does not bring it back').not.toContain(old.approved)
  await stage.decide(old.pending, { status: 'approved' })
  expect(await copied(), 'what was decided now stays for the day').toContain(old.pending)
  expect(await archiveApplications(stage.db, now), 'and is taken the next day').toBe(1)
  expect(await copied()).not.toContain(old.pending)
})

it('moves the scope of the organizer, and no other, when an archived application changes', async () => {
  const { approved, pending } = await threeApplied('2026-10-21')
  await archiveApplications(stage.db, now)
  const heads = async () => {
    const rows = await stage
      .db('sync_scope')
      .whereIn('scope', [`org:${stage.olivia.userId}`, 'public'])
      .orderBy('scope')
    return rows.map(({ version }) => version)
  }
  const [organizers = 0, everybodys = 0] = await heads()

  const decided = await stage.decide(approved, { status: 'rejected' })
  expect(decided.version).toBe(organizers + 1)
  expect(await heads(), 'guests no longer see the Beacon').toEqual([organizers + 1, everybodys + 1])
  expect((await stage.feed(`org:${stage.olivia.userId}`)).at(-1)).toMatchObject({
    collection: 'applications',
    docId: String(approved),
    body: null,
  })
  const mark = { as: stage.olivia, params: { beaconId: approved }, body: { starred: true } }
  await stage.run('markApplication', mark)
  expect(await heads()).toEqual([organizers + 2, everybodys + 1])
  await stage.decide(pending, { status: 'rejected' })
  expect(await heads(), 'one that a device keeps counts once').toEqual([organizers + 3, everybodys + 1])
})

it('leaves archived ones out of a feed that is written anew', async () => {
  const { pending } = await threeApplied('2026-10-21')
  await archiveApplications(stage.db, now)
  await stage.db('sync_log').del()
  await stage.db.transaction((trx) => publishEverything(trx))
  const feed = await stage.feed(`org:${stage.olivia.userId}`)
  const told = feed.filter(({ collection }) => collection === 'applications').map(({ docId }) => docId)
  expect(told).toEqual([String(pending)])
})

it('gives them back when the event is moved', async () => {
  const { id, ...people } = await threeApplied('2026-09-01')
  await archiveApplications(stage.db, now)
  expect(await copied()).toEqual([people.pending])
  await move(id, '2026-12-24')
  expect(await archiveApplications(stage.db, now)).toBe(2)
  expect(await copied()).toEqual(sorted(...Object.values(people)))
})
