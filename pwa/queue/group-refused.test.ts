import { expect, it } from 'vitest'
import type { Problem } from '#shared/contract/problem.ts'
import type { Entry } from '../sync/queue/entry.ts'
import { queuedEntry } from '../sync/testing/queued-entry.ts'
import { groupRefused, type Refused } from './group-refused.ts'

function refused(seq: number, eventId: number, problem: Pick<Problem, 'code' | 'message' | 'current'>): Refused {
  const args = { applicationId: seq, eventId, name: `Bea ${seq}`, status: 'approved', from: 'pending', basis: null }
  const entry: Entry = {
    ...queuedEntry(`k${seq}`, { args, state: 'parked' }),
    seq,
    refusal: { status: 404, at: '2026-11-21T10:40:00Z', problem: { ...problem, requestId: 'r' } },
  }
  return { item: { entry, syncState: 'needs-attention', reason: problem.message }, behind: [] }
}

const gone = { code: 'not_found', message: 'Not found.' } as const
const seqsOf = (parked: readonly Refused[]) =>
  groupRefused(parked).map((group) => group.map(({ item }) => item.entry.seq))

it('four changes of one event that were refused for one reason are a group, three are not', () => {
  const ofOne = [1, 2, 3, 4].map((seq) => refused(seq, 12, gone))
  expect(seqsOf(ofOne)).toEqual([[1, 2, 3, 4]])
  expect(seqsOf(ofOne.slice(1))).toEqual([[2], [3], [4]])
})

it('another event, another reason and two different decisions stay apart', () => {
  const conflict = { code: 'conflict', message: 'No.', current: { status: 'rejected', decidedAt: null } } as const
  const late = { code: 'not_allowed_now', message: 'The event is over.' } as const
  expect(
    seqsOf([
      refused(1, 12, gone),
      refused(2, 13, gone),
      refused(3, 12, conflict),
      ...[4, 5, 6].map((seq) => refused(seq, 12, gone)),
      refused(7, 12, late),
      ...[8, 9, 10, 11].map((seq) => refused(seq, 12, conflict)),
    ]),
  ).toEqual([[1, 4, 5, 6], [2], [3], [7], [8], [9], [10], [11]])
})
