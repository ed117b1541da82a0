import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import type { EventRow } from '../sync/replica/fold.ts'
import { eventDocument } from '../sync/testing/people.ts'
import { YourEvents } from './dashboard-screen.tsx'

const row = (id: number): EventRow => ({
  event: eventDocument(id, { name: `Night ${id}`, startDate: '2099-03-01', endDate: '2099-03-01' }),
  counts: { pending: 0, approved: 0, rejected: 0 },
  syncState: 'confirmed',
  entry: null,
  entries: [],
})

it.each([
  [1, false],
  [6, false],
  [7, true],
])('of %d events one of them past, the dashboard offers a search and chips: %s', (count, offered) => {
  const past = { ...row(1), event: eventDocument(1, { startDate: '2020-03-01', endDate: '2020-03-01' }) }
  const events = [past, ...Array.from({ length: count - 1 }, (_, index) => row(index + 2))]
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <YourEvents events={events} now={new Date('2026-11-20T12:00:00Z')} />
    </MemoryRouter>,
  )
  expect([html.includes('Search your events'), html.includes('aria-label="Show events"')]).toEqual([offered, offered])
})
