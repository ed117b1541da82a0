import { expect, it } from 'vitest'
import { applicationDocument, eventDocument } from '../../../sync/testing/people.ts'
import { presenceFigures } from './presence-figures.tsx'

const at = '2026-12-01T19:00:00.000Z'
const days = {
  ...eventDocument(1),
  startDate: '2026-12-01',
  endDate: '2026-12-03',
  startTime: '10:00',
  endTime: '18:00',
}

it('counts who came and who did not on each day with an answer, of approved Beacons alone', () => {
  const people = [
    applicationDocument(1, 1, {
      status: 'approved',
      arrivedAt: at,
      presence: { '2026-12-01': at, '2026-12-02': null },
    }),
    applicationDocument(2, 1, { status: 'approved', arrivedAt: at }),
    applicationDocument(3, 1, { status: 'approved' }),
    applicationDocument(4, 1, { status: 'rejected', arrivedAt: at }),
  ]
  expect(presenceFigures(people, days)).toEqual([
    { day: '2026-12-01', came: 2, didNotCome: 0 },
    { day: '2026-12-02', came: 0, didNotCome: 1 },
  ])
})
