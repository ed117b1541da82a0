import { describe, expect, it } from 'vitest'
import { readPush } from './push-message.ts'

const origin = 'https://beaconry.example'
const message = {
  web_push: 8030,
  notification: {
    title: 'A new application',
    body: 'Spring Mixer: 1 waiting for you',
    navigate: `${origin}/events/manage/12`,
    tag: 'event-12',
    data: { applicationId: 7, eventId: 12, expectedDecisionNumber: 0, userId: 3 },
  },
  app_badge: 4,
}

describe('a push message', () => {
  it('becomes a notification that opens its event and can be decided from', () => {
    expect(readPush(message, origin)).toEqual({
      title: 'A new application',
      body: 'Spring Mixer: 1 waiting for you',
      tag: 'event-12',
      open: '/events/manage/12',
      application: { applicationId: 7, eventId: 12, expectedDecisionNumber: 0, userId: 3 },
      badge: 4,
    })
  })

  it('about several applications has nothing to decide', () => {
    const several = { ...message, notification: { ...message.notification, data: { eventId: 12 } } }
    expect(readPush(several, origin).application).toBeNull()
  })

  it('never opens an address elsewhere', () => {
    const elsewhere = {
      ...message,
      notification: { ...message.notification, navigate: 'https://evil.example/events/manage/12' },
    }
    expect(readPush(elsewhere, origin).open).toBe('/dashboard')
  })

  it.each([undefined, null, 'text', {}, { notification: 4 }])(
    'that cannot be read (%j) is still shown in general words',
    (unreadable) => {
      expect(readPush(unreadable, origin)).toMatchObject({
        title: 'Beaconry',
        open: '/dashboard',
        application: null,
        badge: null,
      })
    },
  )
})
