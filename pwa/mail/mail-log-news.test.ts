import { describe, expect, it } from 'vitest'
import { newsOf } from './mail-log-news.ts'

describe('what may have caused mails', () => {
  const application = (id: number, eventId: number, version: number) => ({ id, eventId, version }) as never
  const event = (id: number, version: number) => ({ id, version }) as never

  it('is the newest version among an event and its applications, and nobody else’s', () => {
    const events = [event(1, 5), event(2, 50)]
    const before = [application(7, 1, 3), application(8, 2, 90)]
    expect(newsOf({ events, applications: before }, 1)).toBe(5)
    expect(newsOf({ events, applications: [application(7, 1, 6), ...before] }, 1)).toBe(6)
    expect(newsOf({ events, applications: before }, 3)).toBe(0)
  })
})
