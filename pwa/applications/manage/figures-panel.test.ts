import { describe, expect, it } from 'vitest'
import { applicationDocument } from '../../sync/testing/people.ts'
import { figuresOf } from './figures-panel.tsx'

const zone = 'America/Los_Angeles'
const applied = (createdAt: string, answeredAt?: string) =>
  applicationDocument(1, 1, {
    createdAt,
    decisions: answeredAt
      ? [{ number: 1, from: 'pending', to: 'approved', at: answeredAt, device: null, by: 'organizer' }]
      : [],
  })

describe('what applications add up to', () => {
  it('counts each on the day of the venue, and days without any are there too', () => {
    const { spans, spanDays } = figuresOf(
      // Late in the evening in San Francisco it is the next day in UTC.
      [applied('2026-11-02T06:30:00Z'), applied('2026-11-03T20:00:00Z'), applied('2026-11-04T02:00:00Z')],
      zone,
    )
    expect(spanDays).toBe(1)
    expect(spans.map(({ from, count }) => [from, count])).toEqual([
      ['2026-11-01', 1],
      ['2026-11-02', 0],
      ['2026-11-03', 2],
    ])
  })

  it('leaves out walk-ins, who have not applied and waited for no answer', () => {
    const [at, later] = ['2026-11-02T12:00:00Z', '2026-11-02T14:00:00Z']
    const walkIn = { ...applied(at, at), walkedIn: true as const }
    const { spans, answered, medianAnswerMs } = figuresOf([walkIn, applied(at, later)], zone)
    expect([spans[0]?.count, answered, medianAnswerMs]).toEqual([1, 1, 2 * 3_600_000])
    expect(figuresOf([walkIn], zone).spans).toEqual([])
  })

  it('a day begins where the venue says, also a quarter before the hour', () => {
    const { spans } = figuresOf([applied('2026-11-02T18:14:59Z'), applied('2026-11-02T18:15:00Z')], 'Asia/Kathmandu')
    expect(spans.map(({ from, count }) => [from, count])).toEqual([
      ['2026-11-02', 1],
      ['2026-11-03', 1],
    ])
  })

  it('counts by weeks where there are many days, and loses nobody', () => {
    const { spans, spanDays } = figuresOf([applied('2026-10-01T20:00:00Z'), applied('2026-11-15T20:00:00Z')], zone)
    expect(spanDays).toBe(7)
    expect(spans).toHaveLength(7)
    expect(spans.reduce((sum, { count }) => sum + count, 0)).toBe(2)
  })

  it('tells how long half of the answers took, whatever the others took', () => {
    const hours = (count: number) => new Date(Date.parse('2026-11-02T12:00:00Z') + count * 3_600_000).toISOString()
    const figures = figuresOf(
      [1, 2, 300].map((count) => applied('2026-11-02T12:00:00Z', hours(count))).concat(applied('2026-11-02T12:00:00Z')),
      zone,
    )
    expect(figures).toMatchObject({ answered: 3, medianAnswerMs: 2 * 3_600_000 })
  })

  it('an applicant who withdrew was not answered', () => {
    const withdrawn = applicationDocument(1, 1, {
      decisions: [
        { number: 1, from: 'pending', to: 'rejected', at: '2026-11-03T10:00:00Z', device: null, by: 'applicant' },
      ],
    })
    expect(figuresOf([withdrawn], zone)).toMatchObject({ answered: 0, medianAnswerMs: null })
  })

  it('is nothing for nobody', () => {
    expect(figuresOf([], zone)).toEqual({ spans: [], spanDays: 1, answered: 0, medianAnswerMs: null })
  })
})
