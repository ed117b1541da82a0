import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { eventDocument } from '../sync/testing/people.ts'
import { ApplyForm } from './apply-form.tsx'
import { emptyApplyForm } from './apply-form-values.ts'

it('the first step says how long applying takes', () => {
  const event = eventDocument(7) as unknown as PublicEvent
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <ApplyForm
        event={event}
        initial={emptyApplyForm()}
        submitLabel="Submit Application"
        inSteps
        onChange={() => {}}
        onSend={async () => {}}
      />
    </MemoryRouter>,
  )
  expect(html.replace(/<[^>]*>/g, '')).toContain('Step 1 of 2 · about 5 minutes')
})
