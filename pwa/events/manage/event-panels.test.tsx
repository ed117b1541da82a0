import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { eventDocument } from '../../sync/testing/people.ts'
import { EventDetails } from './event-panels.tsx'

it('an event’s details begin with what only its Beacons are told', () => {
  const event = eventDocument(1, { beaconInstructions: 'Use the side door.', promoCode: 'LAMP-27' })
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <EventDetails event={event} />
    </MemoryRouter>,
  )
  const details = [...html.matchAll(/<dd[^>]*>(.*?)<\/dd>/g)].map(([, text]) => text)
  expect(details.slice(0, 3)).toEqual(['Use the side door.', 'LAMP-27', 'Pier 27'])
})
