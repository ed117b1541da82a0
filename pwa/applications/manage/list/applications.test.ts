import { expect, it } from 'vitest'
import type { ApplicationRow } from '../../../sync/replica/fold.ts'
import { applicationDocument } from '../../../sync/testing/people.ts'
import { eventChips } from './applications.tsx'

const waiting = (id: number, eventId: number) => ({ application: applicationDocument(id, eventId) }) as ApplicationRow
const several = { nameOf: (id: number) => `Event ${id}`, isOver: () => false, ids: [3, 1, 2], leading: [3] }
const chips = (rows: readonly ApplicationRow[]) =>
  eventChips(several, rows, 'all').map(({ label, count }) => [label, count])

it('the inbox has a chip for each event where somebody waits, today’s first', () => {
  expect(chips([waiting(11, 1), waiting(31, 3), waiting(32, 3)])).toEqual([
    ['All', 3],
    ['Event 3', 2],
    ['Event 1', 1],
  ])
})

it('the inbox has no chips where one event’s people wait', () => {
  expect(chips([waiting(11, 1), waiting(12, 1)])).toEqual([])
})
