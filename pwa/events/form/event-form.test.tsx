import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { EventForm } from './event-form.tsx'
import { emptyEventForm } from './event-form-values.ts'

function shown(typed: Partial<typeof emptyEventForm>): string {
  const initial = { ...emptyEventForm, ...typed }
  const ignore = () => {}
  return renderToStaticMarkup(
    <MemoryRouter>
      <EventForm initial={initial} submitLabel="Create Event" pending={false} onValues={ignore} onSubmit={ignore} />
    </MemoryRouter>,
  )
}

it.each([
  ['8 PM to 1 AM', '20:00', '01:00', 'Ends the next day, December 13, 2031.'],
  ['6 to 9 PM', '18:00', '21:00', undefined],
])('the form says whether an event of one date from %s ends the next day', (_, startTime, endTime, words) => {
  const html = shown({ startDate: '2031-12-12', endDate: '2031-12-12', startTime, endTime })
  expect(/Ends the next day, [^.]+\./.exec(html)?.[0]).toBe(words)
})
