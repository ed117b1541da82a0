import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { applicationDocument, eventDocument } from '../../sync/testing/people.ts'
import type { OwnApplications } from '../own-application.ts'
import { OwnPageCard, PrivateLink } from './own-page-card.tsx'
import { foldOwnChanges } from './own-page-state.ts'

beforeAll(() => {
  vi.stubGlobal('location', { origin: 'https://beaconry.example' })
})
afterAll(() => {
  vi.unstubAllGlobals()
})

function shown(status: OwnApplication['status'], date: string): string {
  const event = { ...eventDocument(7, { startDate: date, endDate: date }), beaconCount: 1 }
  const application = { ...applicationDocument(1, 7, { status }) } as unknown as OwnApplication
  const state = foldOwnChanges(application, [])
  const page = { status: 'ready', state, groundless: [], asOf: event.updatedAt, stale: false } as const
  const own = { sent: [], disk: { entries: [] } } as unknown as OwnApplications
  return renderToStaticMarkup(
    <MemoryRouter>
      <OwnPageCard
        opened={{ token: 'token', event, application }}
        page={{ ...page, reload: () => {} }}
        own={own}
        onCorrect={() => {}}
        onAnother={undefined}
      />
    </MemoryRouter>,
  )
}

it.each([
  ['approved', '2099-03-01', ['the cover', 'You’re a Beacon', 'Add to calendar', 'Save a Picture to Share']],
  ['approved', '2020-03-01', ['the cover', 'You were a Beacon']],
  ['pending', '2099-03-01', ['Application Submitted']],
] as const)('the own page, %s for %s, has %j', (status, date, expected) => {
  const html = shown(status, date)
  const found = Object.entries({
    'the cover': /<div[^>]*aspect-5\/2/,
    'You’re a Beacon': /<h1[^>]*>You’re a Beacon</,
    'You were a Beacon': /<h1[^>]*>You were a Beacon</,
    'Application Submitted': /<h1[^>]*>Application Submitted</,
    'Add to calendar': /Add to calendar/,
    'Save a Picture to Share': /Save a Picture to Share/,
  }).flatMap(([name, pattern]) => (pattern.test(html) ? [name] : []))
  expect(found).toEqual(expected)
})

it('the private link is folded away, and its warning is read before it is copied', () => {
  const html = renderToStaticMarkup(<PrivateLink link="https://beaconry.example/events/1/apply#application=t" />)
  expect(html).toMatch(/^<details(?![^>]* open)[^>]*><summary[^>]*>My private link<\/summary>/)
  expect(html).toMatch(/read your phone number and your answers.*please do not pass it on.*Copy My Private Link/)
})
