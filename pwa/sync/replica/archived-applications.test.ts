import { expect, it } from 'vitest'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { markApplication } from '../queue/mutations/mark-application.ts'
import type { Mutation } from '../queue/mutations/mutation.ts'
import { applicationDocument } from '../testing/people.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import { archivedApplications, withArchived, withDone } from './archived-applications.ts'
import { emptyReplica } from './replica-state.ts'

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
