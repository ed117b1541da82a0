import { afterEach, beforeEach, expect, it } from 'vitest'
import { applicationDocument, eventDocument } from '../testing/people.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import { foldedView } from './folded-view.ts'
import { pendingEntries } from './pending-entries.ts'
import { emptyReplica, replicaState } from './replica-state.ts'

const nothingRead = { read: false, account: [], visitor: [] }
const begin = () => {
  pendingEntries.set(nothingRead)
  replicaState.set(emptyReplica)
}
// Tests that share the process may have left a queue that was read.
beforeEach(begin)
afterEach(begin)

const decision = { ...queuedEntry('k'), seq: 1 }
const readQueue = (account: (typeof decision)[]) => pendingEntries.set({ read: true, account, visitor: [] })
function readCopy(changes: Parameters<typeof applicationDocument>[2] = {}): void {
  const documents = { events: [eventDocument(1)], applications: [applicationDocument(7, 1, changes)] }
  replicaState.set({ ...emptyReplica, status: 'ready', ...documents })
}
const shown = () =>
  foldedView
    .get()
    .applicationsOf(1)
    .map(({ application }) => application.status)

it('a row that was decided here never shows as pending, though the queue is read last', () => {
  readCopy()
  expect([foldedView.get().status, shown()]).toEqual(['loading', []])
  readQueue([decision])
  expect(shown()).toEqual(['approved'])
})

it('a row does not go back when its change is settled before its document comes', () => {
  readCopy()
  readQueue([{ ...decision, state: 'acknowledged', acknowledged: { version: 5, body: {} } }])
  readQueue([])
  expect(shown()).toEqual(['approved'])
  readCopy({ version: 5, status: 'approved' })
  expect(shown()).toEqual(['approved'])
})
