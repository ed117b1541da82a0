import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ApplicationRefused } from './application-state.tsx'
import type { UnsentApplication } from './own-application.ts'

const tooLate = 'Your application arrived too late. What you wrote is kept below until you discard it.'
const inInbox = 'Look for it in your inbox. If this is not your address, correct it below and send again.'
const correctable = 'Everything you wrote is below. Correct it and send it again.'

it.each([
  ['not_allowed_now', 'Applications for this event are closed.', tooLate],
  ['not_allowed_now', 'This event is cancelled.', tooLate],
  ['duplicate_application', 'You have applied before.', inInbox],
  ['invalid_input', 'Please check your answers.', correctable],
] as const)('a refused application says what can be done: %s, %s', (code, message, words) => {
  const refusal = { problem: { code, message, requestId: 'r' } }
  const application = { state: 'refused', entry: { seq: 1, refusal } } as UnsentApplication
  const html = renderToStaticMarkup(<ApplicationRefused application={application} />)
  expect(html.replace(/<[^>]*>/g, ' ')).toMatch(new RegExp(`Error: ${message} +${words}`))
})
