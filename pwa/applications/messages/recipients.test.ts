import { expect, it } from 'vitest'
import type { Audience } from '#shared/applications/message.ts'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { addressesOf, deliveryLine, mailtoLink, recipientsOf } from './recipients.ts'

const person = (id: number, changes: Partial<ApplicationDocument>) =>
  ({
    id,
    email: 'a@x.example',
    status: 'approved',
    withdrawnAt: null,
    arrivedAt: null,
    ...changes,
  }) as ApplicationDocument
const event = {
  startDate: '2099-03-01',
  endDate: '2099-03-03',
  startTime: '17:00',
  endTime: '21:00',
  timeZone: 'UTC',
}
const firstEvening = new Date('2099-03-01T18:30:00Z')
const people = [
  person(1, { coming: true, arrivedAt: '2099-03-01T18:00:00Z' }),
  person(2, { coming: false }),
  person(3, {}),
  person(4, { status: 'pending' }),
  person(5, { status: 'rejected' }),
  person(6, { status: 'rejected', withdrawnAt: '2026-11-20T10:00:00Z' }),
]

it.each<[Audience, number[]]>([
  ['approved', [1, 2, 3]],
  ['coming', [1]],
  ['silent', [3]],
  ['here', [1]],
  ['pending', [4]],
  ['selected', [3, 4]],
])('a message to %s goes to %j', (audience, ids) => {
  expect(recipientsOf(people, audience, [3, 4, 5, 6], event, firstEvening).map(({ id }) => id)).toEqual(ids)
})

it('a Beacon who came is not asked whether they come, and counts as coming', () => {
  const arrivedAt = '2099-03-01T18:00:00Z'
  const came = [person(1, { arrivedAt }), person(2, { arrivedAt, coming: false })]
  expect(recipientsOf(came, 'silent', [], event, firstEvening)).toEqual([])
  expect(recipientsOf(came, 'coming', [], event, firstEvening)).toEqual(came)
})

it.each([
  ['on the first day', '2099-03-01T19:00:00Z', [1, 2]],
  ['on the second day', '2099-03-02T19:00:00Z', [2]],
  ['on the third day, before anybody came', '2099-03-03T12:00:00Z', []],
  ['once the event is over', '2099-03-04T12:00:00Z', [1, 2]],
])('at an event of three days, those who are here %s', (_when, now, ids) => {
  const [first, second] = ['2099-03-01T18:00:00Z', '2099-03-02T18:00:00Z']
  const seen = [
    person(1, { arrivedAt: first, presence: { '2099-03-01': first } }),
    person(2, { arrivedAt: first, presence: { '2099-03-01': first, '2099-03-02': second } }),
    person(3, { presence: { '2099-03-01': null } }),
  ]
  expect(recipientsOf(seen, 'here', [], event, new Date(now)).map(({ id }) => id)).toEqual(ids)
})

it('what will be sent is said in numbers, as far as they are known', () => {
  const devices = new Map([[1, 2]])
  expect(deliveryLine(people.slice(0, 1), devices)).toBe('1 person: 1 email, 2 devices')
  expect(deliveryLine(people.slice(0, 3), new Map())).toBe('3 people: 3 emails, 0 devices')
  expect(deliveryLine(people.slice(0, 3), undefined)).toBe('3 people: 3 emails, and the devices that asked')
})

it('addresses are copied once each, and a link holds no more of them than mail programs read', () => {
  expect(
    addressesOf([{ email: 'a@x.example' }, { email: 'A@x.example' }, { email: 'b+1@x.example' }, { email: '' }]),
  ).toEqual(['A@x.example', 'b+1@x.example'])
  expect(mailtoLink(['a@x.example', 'b&c@x.example'])).toBe('mailto:?bcc=a%40x.example,b%26c%40x.example')
  expect(mailtoLink([])).toBeUndefined()
  expect(mailtoLink(Array.from({ length: 200 }, (_, at) => `person${at}@x.example`))).toBeUndefined()
})
