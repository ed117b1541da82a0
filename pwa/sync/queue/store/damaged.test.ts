import { expect, it } from 'vitest'
import { fold } from '../../replica/fold.ts'
import { labelOf } from '../mutations/mutations.ts'
import { answerOf } from './outbox-db.ts'
import type { Row } from './outbox-store.ts'
import { damages } from '../../testing/damaged-rows.ts'
import { recordedEntries } from '../../testing/recorded-entries.ts'
import { oliviaId } from '../../testing/people.ts'
import { phone } from '../../testing/queue-phone.ts'

async function withDamage(damage: (row: Row) => object) {
  const rig = phone({ autoWake: false })
  const first = await rig.enqueueApproval(7)
  await rig.enqueueApproval(7)
  await rig.enqueueApproval(8)
  await rig.database.transact(async ({ entries }) => {
    entries.put(damage((await answerOf(entries.get(first.seq))) as Row))
  })
  return { ...rig, damaged: first }
}

it.each(damages)('a queued change with %s is shown, set aside and said; all others go', async (_, damage) => {
  const { server, store, outbox, damaged, wake, pending } = await withDamage(damage)
  const queued = await store.entriesOf(oliviaId)
  const replica = { events: [], applications: [], epoch: 'e', appliedVersion: 0 }
  expect(fold(replica, queued).loose.map(({ seq }) => seq)).toEqual(queued.map(({ seq }) => seq))
  await wake('online', 20_000)
  expect(server.read('applications', 8)).toMatchObject({ status: 'approved' })
  const entries = await pending()
  const shown = entries.find(({ seq }) => seq === damaged.seq)!
  expect(shown).toMatchObject({ state: 'parked', refusal: { problem: { code: 'damaged' } } })
  expect(shown.refusal!.problem.message).toContain('lost on this device')
  expect(labelOf(shown)).not.toBe('')
  // The next change of the same applicant did not wait behind it.
  expect(entries.filter(({ state }) => state === 'blocked')).toEqual([])
  expect(await outbox.discard(damaged.seq)).toBe('discarded')
  expect((await pending()).some(({ seq }) => seq === damaged.seq)).toBe(false)
})

it('no change that a released app wrote is taken for damaged', async () => {
  const { database, store } = phone({ autoWake: false })
  await database.transact(async ({ entries }) => {
    for (const { entry } of recordedEntries) entries.put({ ...(entry as Row), owner: oliviaId, userId: oliviaId })
  })
  const read = await store.entriesOf(oliviaId)
  expect(read.filter(({ state }) => state === 'parked')).toEqual([])
  expect(read.length).toBe(new Set(recordedEntries.map(({ entry }) => (entry as Row).seq)).size)
})
