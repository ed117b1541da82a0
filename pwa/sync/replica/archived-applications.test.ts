import { afterEach, expect, it, vi } from 'vitest'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { markApplication } from '../queue/mutations/mark-application.ts'
import type { Mutation } from '../queue/mutations/mutation.ts'
import { applicationDocument } from '../testing/people.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import {
  archivedApplications,
  askForArchived,
  whenArchivedChanges,
  withArchived,
  withDone,
} from './archived-applications.ts'
import { emptyReplica, replicaState } from './replica-state.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const documents = [1, 2, 3].map((id) => applicationDocument(id, 7, { version: 10 }))

function acknowledged<A>(mutation: Mutation<A>, args: A, version: number) {
  return {
    ...queuedEntry(`${mutation.name} ${version}`, { lane: mutation.lane(args), mutation: mutation.name, args }),
    seq: version,
    state: 'acknowledged' as const,
    acknowledged: { version, status: 200, body: {}, at: '' },
  }
}

const approve = { applicationId: 2, eventId: 7, name: 'Bea', status: 'approved', from: 'pending', basis: null } as const

it('keeps what is acknowledged of fetched applications, and leaves the others as they are', () => {
  const star = { applicationId: 3, eventId: 7, name: 'Bo', starred: true }
  const entries = [acknowledged(decideApplication, approve, 12), acknowledged(markApplication, star, 9)]
  const after = withDone(documents, entries)
  expect(after.map(({ status, version, starred }) => [status, version, starred])).toEqual([
    ['pending', 10, false],
    ['approved', 12, false],
    // The answer was newer than this change.
    ['pending', 10, false],
  ])
  expect(after[0]).toBe(documents[0])
  expect(withDone(after, entries), 'nothing is new').toBe(after)
})

it('keeps what left the queue before its answer was seen', () => {
  const { acknowledged: _, ...sent } = acknowledged(decideApplication, approve, 12)
  expect(withDone(documents, [{ ...sent, state: 'sending' }])[1]?.status).toBe('approved')
})

it('goes behind what the device keeps, and is not shown to another account', () => {
  archivedApplications.set({ userId: 1, eventId: 7, documents })
  const kept = applicationDocument(2, 7, { version: 20 })
  const shown = (userId: number) => withArchived({ ...emptyReplica, userId, applications: [kept] }).applications
  expect(shown(1)).toEqual([kept, documents[0], documents[2]])
  expect(shown(2)).toEqual([kept])
  archivedApplications.set(null)
  expect(shown(1)).toEqual([kept])
})

it('is asked for again, once, after the organizer has any news', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', new EventTarget())
  const fetched = vi.fn(async () => new Response('[]', { headers: { 'X-Beaconry': '1' } }))
  vi.stubGlobal('fetch', fetched)
  const moveTo = (appliedVersion: number) => replicaState.set({ ...replicaState.get(), userId: 1, appliedVersion })
  moveTo(10)
  const stop = askForArchived(7).follow(whenArchivedChanges)
  await vi.advanceTimersByTimeAsync(5_000)
  replicaState.set({ ...replicaState.get(), asOf: '2026-11-21T10:00:00Z' })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(fetched, 'no change, no question').toHaveBeenCalledTimes(1)
  moveTo(11)
  moveTo(12)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(fetched).toHaveBeenCalledTimes(2)
  stop()
  moveTo(13)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(fetched, 'no screen, no question').toHaveBeenCalledTimes(2)
  archivedApplications.set(null)
  replicaState.set(emptyReplica)
})
