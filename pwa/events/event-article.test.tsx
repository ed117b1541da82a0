import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import { eventDocument, eventFields } from '../sync/testing/people.ts'
import { ApplyLink, EventArticle, type FoundBeacons } from './event-article.tsx'
import { EventPreview } from './form/event-preview.tsx'

const bea = { id: 1, firstName: 'Bea', lastName: 'Moss', bio: 'Knows everyone.' } as unknown as PublicBeacon
const found = { answer: [bea], failure: null } as unknown as FoundBeacons
const words = (html: string) => html.replace(/<[^>]*>/g, '|')

function shown(startDate: string, endDate: string): string {
  const event = { ...eventDocument(7, { startDate, endDate }), beaconCount: 1 }
  return words(
    renderToStaticMarkup(
      <MemoryRouter>
        <EventArticle event={event} asOf={event.updatedAt} beacons={found} isOwn={false} />
      </MemoryRouter>,
    ),
  )
}

describe('the page of an event', () => {
  it.each([
    ['ahead', '2099-03-01', '2099-03-01', ['1 Beacon to meet', 'Add to calendar']],
    ['on now', '2020-03-01', '2099-03-01', ['On now', '1 Beacon to meet', 'Add to calendar']],
    ['over', '2020-03-01', '2020-03-01', ['This event is over', '1 Beacon was there']],
  ])('says of one that is %s only what is true of it', (_when, start, end, said) => {
    const told = /This event is over|On now|1 Beacon to meet|1 Beacon was there|Add to calendar/g
    const all = shown(start, end).match(told) ?? []
    expect(all.toSorted()).toEqual(said.toSorted())
  })

  it('is seen whole before it is public, where nothing can be pressed', () => {
    const fields = { ...eventFields, startDate: '2099-03-01', endDate: '2099-03-01' }
    const html = renderToStaticMarkup(
      <MemoryRouter>
        <EventPreview fields={fields} saved={undefined} timeZone="America/Los_Angeles" onClose={() => {}} />
      </MemoryRouter>,
    )
    const [dialog = '', page = ''] = html.split('<div inert="">')
    expect(words(dialog)).toContain('|Preview|')
    for (const part of [fields.name, 'March 1, 2099', fields.location, fields.description, fields.beaconIncentives])
      expect(words(page)).toContain(part)
  })
})

it.each([
  ['a guest', null, '/events/7/apply', 'Apply to be a Beacon'],
  ['its Beacon', { label: 'You’re a Beacon: your page', to: '/own' }, '/own', 'You’re a Beacon: your page'],
] as const)('an event’s page leads %s further', (_who, standing, address, words) => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <ApplyLink event={{ id: 7 }} standing={standing} isQuiet={false} />
    </MemoryRouter>,
  )
  expect(/href="([^"]+)"/.exec(html)?.[1]).toBe(address)
  expect(html.replace(/<[^>]*>/g, '')).toBe(words)
})
