import { expect, it } from 'vitest'
import { alertMessage } from './alert-message.ts'

const textsFor = (person: { firstName: string; lastName: string }, showNames: boolean) => {
  const application = { id: 7, eventId: 3, organizerId: 1, eventName: 'Harbor Mixer', ...person }
  const { notification } = alertMessage({
    userId: 1,
    applications: [application],
    showNames,
    publicOrigin: 'https://beaconry.example',
  })
  return [notification.title, notification.body, JSON.stringify(notification.data)]
}

it.each([
  [{ firstName: 'Bea', lastName: 'Morgan' }, 'Bea Morgan'],
  [{ firstName: 'Bea', lastName: 'https://evil.example' }, 'Bea'],
])('an alert that shows names says of %j that %s applied', (person, name) => {
  expect(textsFor(person, true)).toEqual([
    'New Beacon application',
    `${name} applied for Harbor Mixer`,
    JSON.stringify({ userId: 1, eventId: 3, applicationId: 7, applicantName: name }),
  ])
})

it.each([
  ['on a device that did not ask for names', { firstName: 'Bea', lastName: 'Morgan' }, false],
  ['when nothing of a name may leave', { firstName: '+1 555 010 0199', lastName: 'evil.example' }, true],
])('an alert names nobody %s', (_when, person, showNames) => {
  expect(textsFor(person, showNames)).toEqual([
    'Harbor Mixer',
    'New Beacon application',
    JSON.stringify({ userId: 1, eventId: 3, applicationId: 7 }),
  ])
})

it('an alert on a member’s device says for whose events it is, and leads to them', () => {
  const person = { firstName: 'Bea', lastName: 'Morgan' }
  const application = { id: 7, eventId: 3, organizerId: 1, eventName: 'Harbor Mixer', ...person }
  const origin = { publicOrigin: 'https://beaconry.example', showNames: false }
  const { notification } = alertMessage({ userId: 9, applications: [application], ...origin })
  expect(notification).toMatchObject({
    navigate: 'https://beaconry.example/events/manage/3?for=1&application=7',
    data: { userId: 9, organizerId: 1 },
  })
})
