import { describe, expect, it } from 'vitest'
import { messageOf, readPush } from './push-message.ts'

const origin = 'https://beaconry.example'
const message = {
  web_push: 8030,
  notification: {
    title: 'A new application',
    body: 'Spring Mixer: 1 waiting for you',
    navigate: `${origin}/events/manage/12`,
    tag: 'event-12',
    data: { applicationId: 7, eventId: 12, userId: 3 },
  },
  app_badge: 4,
}

const readWith = (changes: object) =>
  readPush({ ...message, notification: { ...message.notification, ...changes } }, origin)

describe('a push message', () => {
  it('becomes a notification that opens its event and can be decided from', () => {
    expect(readPush(message, origin)).toEqual({
      title: 'A new application',
      body: 'Spring Mixer: 1 waiting for you',
      tag: 'event-12',
      renotify: true,
      open: '/events/manage/12',
      application: { applicationId: 7, eventId: 12, userId: 3, organizerId: null, name: null },
      badge: 4,
      testId: null,
    })
  })

  it('names the applicant whom a decision on it is about, where the device shows names', () => {
    const data = { ...message.notification.data, applicantName: 'Bea Morgan' }
    expect(readWith({ data }).application?.name).toBe('Bea Morgan')
    expect(readWith({ data: { ...data, applicantName: 7 } }).application?.name).toBeNull()
  })

  it('that tests the way says which test it is; one about an own application decides nothing', () => {
    expect(readWith({ data: { userId: 3, testId: 'abc' } })).toMatchObject({ testId: 'abc', application: null })
    expect(readWith({ data: { ownApplicationId: 7 } })).toMatchObject({ testId: null, application: null })
    expect(readWith({ data: { testId: 7 } }).testId).toBeNull()
  })

  it('that the browser has read itself is shown as if it had not', () => {
    const proposed = { notification: message.notification, appBadge: 4 }
    expect(readPush(messageOf(null, proposed), origin)).toEqual(readPush(message, origin))
    expect(readPush(messageOf({ json: () => message }, {}), origin)).toEqual(readPush(message, origin))
    const unreadable = {
      json: () => {
        throw new SyntaxError('not JSON')
      },
    }
    expect(messageOf(unreadable, proposed)).toBeUndefined()
  })

  it('that may be on the screen already makes no second sound', () => {
    expect(readWith({ renotify: false }).renotify).toBe(false)
  })

  it('about several applications has nothing to decide', () => {
    expect(readWith({ data: { eventId: 12 } }).application).toBeNull()
  })

  it('never opens an address elsewhere', () => {
    expect(readWith({ navigate: 'https://evil.example/events/manage/12' }).open).toBe('/dashboard')
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
