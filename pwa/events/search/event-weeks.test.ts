import { describe, expect, it } from 'vitest'
import { byWeek } from './event-weeks.ts'

const weeksOf = (dates: readonly string[], today: string) =>
  byWeek(dates, (date) => date, today).map(({ title, events }) => [title, events])

describe('events by week', () => {
  it('begin their weeks on Mondays, in the order they come', () => {
    const dates = ['2026-11-25', '2026-11-29', '2026-11-30', '2026-12-06', '2026-12-07', '2026-12-13', '2026-12-14']
    expect(weeksOf(dates, '2026-11-25')).toEqual([
      ['This week', ['2026-11-25', '2026-11-29']],
      ['Next week', ['2026-11-30', '2026-12-06']],
      ['Week of December 7', ['2026-12-07', '2026-12-13']],
      ['Week of December 14', ['2026-12-14']],
    ])
  })

  it.each(['2026-11-23', '2026-11-29'])('are told from %s, the first or last day of a week', (today) => {
    expect(weeksOf(['2026-11-29', '2026-11-30'], today).map(([title]) => title)).toEqual(['This week', 'Next week'])
  })

  it('are of this week once they have begun, even before it', () => {
    expect(weeksOf(['2026-11-02', '2026-11-25'], '2026-11-25')).toEqual([['This week', ['2026-11-02', '2026-11-25']]])
  })

  it('name the year of another year', () => {
    const titles = weeksOf(['2026-12-31', '2027-01-04', '2028-03-01'], '2026-12-30').map(([title]) => title)
    expect(titles).toEqual(['This week', 'Next week', 'Week of February 28, 2028'])
    expect(weeksOf(['2027-01-11'], '2026-12-30')).toEqual([['Week of January 11, 2027', ['2027-01-11']]])
  })

  it('are none without events', () => expect(weeksOf([], '2026-11-25')).toEqual([]))
})
