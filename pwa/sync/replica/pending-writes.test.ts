import { beforeEach, expect, it, vi } from 'vitest'
import { syncStateOf } from '../queue/entry.ts'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { outboxStore } from '../queue/store/opened-outbox.ts'
import { fold } from './fold.ts'
import { pendingEntries } from './pending-entries.ts'
import { beginReading, enqueueShown, quickDiskMs, showReading, whenWritten } from './pending-writes.ts'
import { applicationDocument } from '../testing/people.ts'
import { approve } from '../testing/queue-phone.ts'
import { applicationRows } from '../testing/application-rows.ts'

const userId = 7
const shown = () => {
  const { account, writing = [] } = pendingEntries.get()
  return [...account, ...writing].map((entry) => syncStateOf(entry))
}

/** A decision that the disk has not answered in the time it is given. */
function decideSlowly(args: ReturnType<typeof approve>) {
  const written = enqueueShown(decideApplication, args, { userId })
  vi.advanceTimersByTime(quickDiskMs)
  return written
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await outboxStore.change('all', ({ entries }) => ({ remove: entries.map(({ seq }) => seq), result: 0 }))
  showReading(beginReading(), userId, { account: [], visitor: [] })
  // What the test before wrote is in no reading any more.
  showReading(beginReading(), userId, { account: [], visitor: [] })
})

it.each([
  ['as saving, and as saved when it is on disk', decideSlowly, [['saving'], ['on-this-phone']]],
  [
    'as saved alone, which is drawn once, where the disk is quick',
    (args: ReturnType<typeof approve>) => enqueueShown(decideApplication, args, { userId }),
    [['on-this-phone']],
  ],
])('shows a change %s', async (_, decide, expected) => {
  const seen: string[][] = []
  const stop = pendingEntries.subscribe(() => seen.push(shown()))
  const entry = await decide(approve(1))
  vi.advanceTimersByTime(quickDiskMs)
  stop()
  expect(seen).toEqual(expected)
  expect(pendingEntries.get().account).toEqual([entry])
  expect(await outboxStore.entriesOf(userId)).toEqual([entry])
})

it('folds what is being written into its row', () => {
  const document = applicationDocument(1, 1, { status: 'pending', decisionNumber: 0 })
  void decideSlowly(approve(document.id))
  const replica = { events: [], applications: [document], epoch: undefined, appliedVersion: 0 }
  const row = applicationRows(fold(replica, pendingEntries.get().writing ?? [])).get(document.id)
  expect(row).toMatchObject({ syncState: 'saving', application: { status: 'approved' } })
})

it('a reading that began before the write does not take the change away, one that began after it decides', async () => {
  const before = beginReading()
  const entry = await decideSlowly(approve(2))
  showReading(before, userId, { account: [], visitor: [] })
  expect(pendingEntries.get().account).toEqual([entry])
  const sent = { ...entry, state: 'sending' as const }
  showReading(beginReading(), userId, { account: [sent], visitor: [] })
  expect(pendingEntries.get().account).toEqual([sent])
  showReading(beginReading(), userId, { account: [], visitor: [] })
  expect(pendingEntries.get().account).toEqual([])
})

it('shows nothing of a change that could not be written, and says why', async () => {
  // IndexedDB cannot keep a function.
  const unwritable = { ...approve(3), name: (() => 'Bea') as unknown as string }
  const writing = decideSlowly(unwritable)
  expect(pendingEntries.get().writing).toHaveLength(1)
  await expect(writing).rejects.toThrow('could not be cloned')
  expect(pendingEntries.get()).toMatchObject({ account: [], writing: [] })
  expect(await outboxStore.entriesOf(userId)).toEqual([])
})

it('shows nothing of one account to another', async () => {
  const writing = decideSlowly(approve(4))
  showReading(beginReading(), 8, { account: [], visitor: [] })
  expect(shown()).toEqual([])
  await writing
  expect(shown()).toEqual([])
})

it('an entry that is being written is known by its place on disk once it has one', async () => {
  const writing = decideSlowly(approve(5))
  const [provisional] = pendingEntries.get().writing ?? []
  if (!provisional) throw new Error('nothing is being written')
  expect(await whenWritten(provisional)).toEqual(await writing)
  const entry = await writing
  expect(await whenWritten(entry)).toBe(entry)
})
