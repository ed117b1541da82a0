import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApplicationDocument, Tombstone } from '#shared/sync/replication-calls.ts'
import { openReplicaDatabase, watchDocuments } from './replica-db.ts'
import { readWritten, writePage } from './write-page.ts'

const epoch = '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10'
let userId = 0
const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A replica in a browser profile of its own, as one tab of it opens it. */
async function openTab(user = ++userId, generation = 0) {
  const database = await openReplicaDatabase({ userId: user, epoch, generation })
  open.push(() => database.close())
  const { applications } = database.collections
  let shown: readonly ApplicationDocument[] = []
  const stop = await watchDocuments(applications, (documents) => (shown = documents))
  open.unshift(async () => stop())
  return { user, applications, shown: () => shown, close: () => database.close() }
}

const of = (id: number, version: number, status = 'pending') =>
  ({ key: String(id), version, id, eventId: 12, firstName: 'Bea', status }) as unknown as ApplicationDocument
const gone = (id: number, version: number): Tombstone => ({ key: String(id), version, _deleted: true })

describe('a page', () => {
  it('is shown as it was pulled, without the note of how far the collection is written', async () => {
    const { applications, shown } = await openTab()
    expect(await readWritten(applications)).toEqual({ version: 0 })
    await writePage(applications, [of(1, 3), of(2, 5), gone(3, 6)], { version: 7, mark: 'a1b2' })
    expect(shown()).toEqual([of(1, 3), of(2, 5)])
    expect(await readWritten(applications)).toEqual({ version: 7, mark: 'a1b2' })
    expect(await applications.find().exec()).toHaveLength(2)
  })

  it('changes and removes what is there, and is there again after the app was closed', async () => {
    const { user, applications, shown, close } = await openTab()
    await writePage(applications, [of(1, 1), of(2, 2)], { version: 2 })
    await writePage(applications, [of(1, 3, 'approved'), gone(2, 4)], { version: 4 })
    expect(shown()).toEqual([of(1, 3, 'approved')])
    await close()
    const again = await openTab(user)
    expect(again.shown()).toEqual([of(1, 3, 'approved')])
    expect(await readWritten(again.applications)).toEqual({ version: 4 })
  })

  it('of a copy that was begun anew meets nothing of the copy before', async () => {
    const { user, applications, close } = await openTab()
    await writePage(applications, [of(1, 1), of(2, 2)], { version: 2 })
    await close()
    const again = await openTab(user, 1)
    expect(again.shown()).toEqual([])
    expect(await readWritten(again.applications)).toEqual({ version: 0 })
  })

  it('that is older than what is there takes nothing back', async () => {
    const { applications, shown } = await openTab()
    await writePage(applications, [of(1, 5, 'approved'), gone(2, 6)], { version: 6 })
    await writePage(applications, [of(1, 3), of(2, 4), of(3, 2)], { version: 4 })
    expect(shown()).toEqual([of(1, 5, 'approved'), of(3, 2)])
    expect(await readWritten(applications)).toEqual({ version: 6 })
  })

  it('with thousands of documents replaces those that are there and adds the others', async () => {
    const { applications, shown } = await openTab()
    const ids = Array.from({ length: 1000 }, (_, index) => index + 1)
    const odd = ids.filter((id) => id % 2 === 1)
    await writePage(
      applications,
      odd.map((id) => of(id, id)),
      { version: 999 },
    )
    await writePage(
      applications,
      ids.map((id) => of(id, 1000 + id, 'approved')),
      { version: 2000 },
    )
    expect(shown()).toHaveLength(1000)
    expect(shown().every(({ id, version, status }) => version === 1000 + id && status === 'approved')).toBe(true)
  })
})
