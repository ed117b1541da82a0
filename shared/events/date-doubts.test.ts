import { expect, it } from 'vitest'
import { doubtsAbout } from './date-doubts.ts'

const now = new Date('2026-11-27T18:00:00Z')
const timeless = { startTime: null, endTime: null, timeZone: 'America/Chicago', applicationsCloseAt: null }
const doubts = (startDate: string, endDate = startDate, times: { startTime?: string; endTime?: string } = {}) =>
  doubtsAbout({ ...timeless, startDate, endDate, ...times }, undefined, now)

it.each([
  ['today', '2026-11-27', '2026-11-27'],
  ['a night of last evening that goes on', '2026-11-26', '2026-11-27'],
  ['in five years', '2031-11-27', '2031-11-29'],
  ['a month', '2027-01-01', '2027-01-31'],
])('%s is not asked about', (_, startDate, endDate) => {
  expect(doubts(startDate, endDate)).toEqual([])
})

it.each([
  ['last year', '2025-12-05', '2025-12-05', ['It would be over already: December 5, 2025.']],
  ['in a year without its thousands', '0206-12-05', '0206-12-05', ['It would be over already: December 5, 206.']],
  ['in a far year', '2206-12-05', '2206-12-05', ['It would begin in 180 years, on December 5, 2206.']],
  ['over ten years', '2026-12-05', '2036-12-05', ['It would last for 3,654 days, until December 5, 2036.']],
  [
    'since last month',
    '2026-10-05',
    '2026-12-05',
    ['It would have begun on October 5, 2026.', 'It would last for 62 days, until December 5, 2026.'],
  ],
])('an event %s is asked about', (_, startDate, endDate, expected) => {
  expect(doubts(startDate, endDate)).toEqual(expected)
})

it('an event of today that ended an hour ago is asked about', () => {
  expect(doubts('2026-11-27', '2026-11-27', { startTime: '08:00', endTime: '11:00' })).toHaveLength(1)
})

const evening = { ...timeless, startDate: '2027-12-10', endDate: '2027-12-10', startTime: '18:00', endTime: '21:00' }
it.each([
  ['none', null, []],
  ['before the start', '2027-12-09T23:59', []],
  ['at the end', '2027-12-10T21:00', []],
  ['last year', '2026-01-05T23:59', ['Applications would be closed already, since January 5, 2026, 11:59 PM CST.']],
  [
    'a minute ago',
    '2026-11-27T11:59',
    ['Applications would be closed already, since November 27, 2026, 11:59 AM CST.'],
  ],
  ['next year', '2028-01-05T23:59', ['Applications would close after its end, on January 5, 2028, 11:59 PM CST.']],
])('a deadline is asked about if it closes nothing, or everything: %s', (_, applicationsCloseAt, expected) => {
  expect(doubtsAbout({ ...evening, applicationsCloseAt }, undefined, now)).toEqual(expected)
  expect(doubtsAbout({ ...evening, applicationsCloseAt }, evening, now)).toEqual(expected)
})

it('what an edit leaves as it is, is not asked about again', () => {
  const begun = { ...evening, startDate: '2026-10-05', applicationsCloseAt: '2026-10-01T12:00' }
  expect(doubtsAbout(begun, begun, now)).toEqual([])
  expect(doubtsAbout({ ...begun, applicationsCloseAt: '2026-11-01T12:00' }, begun, now)).toEqual([
    'Applications would be closed already, since November 1, 2026, 12:00 PM CST.',
  ])
})

it('the deadline of an event that is over is not asked about', () => {
  const past = { ...evening, startDate: '2025-12-10', endDate: '2025-12-10', applicationsCloseAt: '2025-12-01T12:00' }
  expect(doubtsAbout(past, undefined, now)).toEqual(['It would be over already: December 10, 2025.'])
})
