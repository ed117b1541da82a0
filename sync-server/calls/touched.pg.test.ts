import { expect, it } from 'vitest'
import { presentTouched } from '../app/nouns.ts'
import type { Change } from '../feed/change-feed.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'

const stage = await setOrganizerStage()

it('a thing is shown as its last touch presents it, and is loaded where that presents nothing', async () => {
  const { id: eventId } = await stage.publish()
  const id = await stage.applicant(eventId)
  const organizerId = stage.olivia.userId
  const built: Change = { scope: `org:${organizerId}`, collection: 'applications', docId: String(id), document: {} }
  const plain = { what: 'application', id, organizerId } as const
  const withChanges = { ...plain, changes: [built] }
  const present = async (...touched: Parameters<typeof presentTouched>[1]) =>
    await stage.db.transaction((trx) => presentTouched(trx, touched, stage.clock.now))

  expect(await present(plain, withChanges)).toEqual([[built], [built]])
  const loaded = await present(withChanges, plain)
  expect(loaded[0]).toEqual(loaded[1])
  expect(loaded[0]).toMatchObject([
    { scope: built.scope, document: { id, status: 'pending' } },
    { scope: 'public', document: null },
  ])
})
