import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { syncStateOf } from '../queue/entry.ts'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { outbox } from '../queue/outbox.ts'
import { outboxStore } from '../queue/store/opened-outbox.ts'
import { textStorage } from '../testing/text-storage.ts'
import { fold } from './fold.ts'
import { pendingEntries } from './pending-entries.ts'
import { takeInLeftChanges } from './left-changes.ts'
import { beginReading, enqueueShown, hideUnsaved, showReading, whenWritten } from './pending-writes.ts'
import { applicationDocument } from '../testing/people.ts'
import { approve } from '../testing/queue-phone.ts'
import { applicationRows } from '../testing/application-rows.ts'

const userId = 7
const shown = () => {
  const { account, writing = [] } = pendingEntries.get()
  return [...account, ...writing].map((entry) => syncStateOf(entry))
}

beforeEach(async () => {
  vi.stubGlobal('localStorage', textStorage())
  await outboxStore.change('all', ({ entries }) => ({ remove: entries.map(({ seq }) => seq), result: 0 }))
  showReading(beginReading(), userId, { account: [], visitor: [] })
  // What the test before wrote is in no reading any more.
  showReading(beginReading(), userId, { account: [], visitor: [] })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('shows a change as saving at once, as saved when it is on disk, and at every moment once', async () => {
  const seen: string[][] = []
  const stop = pendingEntries.subscribe(() => seen.push(shown()))
  const writing = enqueueShown(decideApplication, approve(1), { userId })
  expect(shown()).toEqual(['saving'])
  const entry = await writing
  stop()
  expect(seen).toEqual([['saving'], ['on-this-phone']])
  expect(pendingEntries.get().account).toEqual([entry])
  expect(await outboxStore.entriesOf(userId)).toEqual([entry])
})

it('folds what is being written into its row', () => {
  const document = applicationDocument(1, 1, { status: 'pending', decisionNumber: 0 })
  void enqueueShown(decideApplication, approve(document.id), { userId })
  const replica = { events: [], applications: [document], epoch: undefined, appliedVersion: 0 }
  const row = applicationRows(fold(replica, pendingEntries.get().writing ?? [])).get(document.id)
  expect(row).toMatchObject({ syncState: 'saving', application: { status: 'approved' } })
})

it('a reading from before the write keeps the change, one from after it decides', async () => {
  const before = beginReading()
  const entry = await enqueueShown(decideApplication, approve(2), { userId })
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
  const writing = enqueueShown(decideApplication, unwritable, { userId })
  expect(pendingEntries.get().writing).toHaveLength(1)
  await expect(writing).rejects.toThrow('could not be cloned')
  expect(pendingEntries.get()).toMatchObject({ account: [], writing: [] })
  expect(await outboxStore.entriesOf(userId)).toEqual([])
})

it('shows nothing of one account to another', async () => {
  const writing = enqueueShown(decideApplication, approve(4), { userId })
  showReading(beginReading(), 8, { account: [], visitor: [] })
  expect(shown()).toEqual([])
  await writing
  expect(shown()).toEqual([])
})

it('an entry that is being written is known by its place on disk once it has one', async () => {
  const writing = enqueueShown(decideApplication, approve(5), { userId })
  const [provisional] = pendingEntries.get().writing ?? []
  if (!provisional) throw new Error('nothing is being written')
  expect(await whenWritten(provisional)).toEqual(await writing)
  const entry = await writing
  expect(await whenWritten(provisional), 'a row that shows it for a moment longer').toBe(entry)
  expect(await whenWritten(entry)).toBe(entry)
})

it('draws nothing again that a reading of the queue brings as it is shown', async () => {
  const first = await enqueueShown(decideApplication, approve(6), { userId })
  await enqueueShown(decideApplication, approve(7), { userId })
  const seen: unknown[] = []
  const stop = pendingEntries.subscribe(() => seen.push(pendingEntries.get().account))
  const read = async () =>
    showReading(beginReading(), userId, { account: await outboxStore.entriesOf(userId), visitor: [] })
  await read()
  expect(seen).toEqual([])
  await outboxStore.change('all', ({ entries }) => ({
    put: entries.slice(1).map((entry) => ({ ...entry, attempts: 1 })),
    result: 0,
  }))
  await read()
  stop()
  expect(seen).toHaveLength(1)
  expect(pendingEntries.get().account[0]).toBe(first)
  expect(pendingEntries.get().account[1]).toMatchObject({ attempts: 1 })
})

const left = () => JSON.parse(localStorage.getItem('beaconry-changes') ?? '[]') as { key: string }[]

/** The disk refuses the next change. */
function failOnce(error = new DOMException('no room', 'QuotaExceededError')) {
  return vi.spyOn(outbox, 'enqueue').mockRejectedValueOnce(error)
}

it('shows a change that the disk refuses as not saved, and writes it under its own key later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  failOnce()
  const writing = enqueueShown(decideApplication, approve(8), { userId })
  await vi.advanceTimersByTimeAsync(0)
  expect(shown()).toEqual(['not-saved'])
  const [{ key }] = left() as [{ key: string }]
  await vi.advanceTimersByTimeAsync(3_000)
  vi.useRealTimers()
  expect((await writing).key).toBe(key)
  expect(shown()).toEqual(['on-this-phone'])
  expect(left()).toEqual([])
})

it('takes in once what a page left that did not save it, also when it was saved after all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  failOnce()
  const writing = enqueueShown(decideApplication, approve(9), { userId })
  await vi.advanceTimersByTimeAsync(0)
  const kept = localStorage.getItem('beaconry-changes') ?? ''
  await takeInLeftChanges(outbox.enqueue)
  localStorage.setItem('beaconry-changes', kept)
  await takeInLeftChanges(outbox.enqueue)
  expect(left()).toEqual([])
  // The page was not gone after all.
  await vi.advanceTimersByTimeAsync(3_000)
  await writing
  expect(await outboxStore.entriesOf(userId)).toHaveLength(1)
})

it('a change that is taken back before it was saved is off the screen and left to no page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  failOnce()
  void enqueueShown(decideApplication, approve(10), { userId })
  await vi.advanceTimersByTimeAsync(0)
  const [unsaved] = pendingEntries.get().writing ?? []
  if (!unsaved) throw new Error('nothing is shown')
  hideUnsaved(unsaved)
  expect([shown(), left()]).toEqual([[], []])
})
