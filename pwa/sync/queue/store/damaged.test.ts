import { describe, expect, it } from 'vitest'
import { fold } from '../../replica/fold.ts'
import { labelOf } from '../mutations/mutations.ts'
import { answerOf } from './outbox-db.ts'
import type { Row } from './outbox-store.ts'
import { recordedEntries } from '../../testing/recorded-entries.ts'
import { oliviaId } from '../../testing/people.ts'
import { phone } from '../../testing/queue-phone.ts'

/** What a disk or a hand can leave of a row. */
const damages: [string, (row: Row) => object][] = [
  ['arguments that are null', (row) => ({ ...row, args: null })],
  ['arguments that are cut short', (row) => ({ ...row, args: { applicationId: 7 } })],
  ['arguments that are a text', (row) => ({ ...row, args: '{"applicationId":7,"ev' })],
  ['arguments with numbers that are none', (row) => ({ ...row, args: { ...(row.args as object), basis: 7 } })],
  ['no arguments', ({ args: _args, ...row }) => row],
  ['no lane', ({ lane: _lane, ...row }) => row],
  ['no key', ({ key: _key, ...row }) => row],
  ['a state that does not exist', (row) => ({ ...row, state: 'nowhere' })],
  ['no state', ({ state: _state, ...row }) => row],
  ['a refusal that is empty', (row) => ({ ...row, state: 'parked', refusal: {} })],
  ['no number of attempts', ({ attempts: _attempts, ...row }) => row],
]

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

describe('a queued change that lies on the disk with', () => {
  it.each(damages)('%s is set aside and said, and everything else goes', async (_, damage) => {
    const { server, outbox, damaged, wake, pending } = await withDamage(damage)
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

  it.each(damages)('%s does not keep the screens from being shown', async (_, damage) => {
    const { store } = await withDamage(damage)
    const replica = { events: [], applications: [], epoch: 'e', appliedVersion: 0 }
    expect(() => fold(replica, [])).not.toThrow()
    const entries = await store.entriesOf(oliviaId)
    expect(fold(replica, entries).loose.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq))
  })
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
