import { describe, expect, it } from 'vitest'
import { checkedIn, isHereNow, judgeCheckIn, mayCheckIn } from './check-in.ts'

/** From 7 to 11 PM in Chicago, where it is six hours earlier than in Greenwich. */
const event = {
  startDate: '2026-11-20',
  endDate: '2026-11-21',
  startTime: '19:00',
  endTime: '23:00',
  timeZone: 'America/Chicago',
}
const at = (day: string, time: string) => new Date(`2026-11-${day}T${time}:00-06:00`)
const evening = at('20', '18:30')
const nobody = { arrivedAt: null, presence: {} }
const judge = (seenAt: Date, changes: object = {}, now = seenAt) =>
  judgeCheckIn({ status: 'approved', ...nobody, ...changes }, seenAt, event, now)
const refusal = expect.objectContaining({ refused: 'not_allowed_now' }) as unknown

describe('a Beacon who checks in', () => {
  it.each([
    ['two days before', at('18', '20:00'), false],
    ['the day before, to build up', at('19', '15:00'), true],
    ['on the first evening', evening, true],
    ['after midnight, which belongs to the evening', at('21', '00:30'), true],
    ['when it is over', at('21', '23:30'), false],
  ])('is offered it as follows: %s', (_when, now, offered) => {
    expect(mayCheckIn(event, now)).toBe(offered)
  })

  it('is taken at its word hours later, until arrivals are settled', () => {
    expect(judge(evening, {}, at('22', '12:00'))).toBe('change')
    expect(judge(evening, {}, at('29', '00:00'))).toEqual(refusal)
  })

  it('is refused on another day, and when not approved', () => {
    expect(judge(at('18', '20:00'))).toEqual(refusal)
    expect(judge(at('22', '20:00'))).toEqual(refusal)
    for (const status of ['pending', 'rejected']) expect(judge(evening, { status })).toEqual(refusal)
  })

  it('is here once a day, and the first arrival stays', () => {
    const first = checkedIn(nobody, evening, event)
    expect(first).toEqual({ arrivedAt: evening.toISOString(), presence: { '2026-11-20': evening.toISOString() } })
    expect(judge(at('20', '21:00'), first)).toBe('already')
    const second = at('21', '18:00')
    expect(judge(second, first)).toBe('change')
    expect(checkedIn(first, second, event)).toEqual({
      arrivedAt: evening.toISOString(),
      presence: { '2026-11-20': evening.toISOString(), '2026-11-21': second.toISOString() },
    })
  })

  it('was seen by the organizer already, or takes the place of their “did not come”', () => {
    expect(judge(at('20', '21:00'), { arrivedAt: evening.toISOString() })).toBe('already')
    const absent = { arrivedAt: null, presence: { '2026-11-20': null } }
    expect(judge(evening, absent)).toBe('change')
    expect(checkedIn(absent, evening, event).arrivedAt).toBe(evening.toISOString())
  })

  it('is here for the night, and not for the next day', () => {
    const arrivals = [evening.toISOString()]
    expect(isHereNow(event, arrivals, at('21', '00:30'))).toBe(true)
    expect(isHereNow(event, arrivals, at('21', '18:00'))).toBe(false)
    expect(isHereNow(event, [], evening)).toBe(false)
  })
})
