import { expect, it } from 'vitest'
import { reasonInWords } from './mail-reason.ts'

it.each([
  [null, null],
  ['no mail server is configured (SMTP_URL)', 'This server has no mail server set up.'],
  ['the server stopped while it ran', 'The server stopped while sending it. It may have arrived.'],
  ['the mail server refused or failed: ECONNREFUSED', 'The mail server could not be reached.'],
  ['the mail server refused or failed: ETIMEDOUT', 'The mail server could not be reached.'],
  ['the mail server refused or failed: EAUTH', 'The mail server did not let this server in.'],
  ['the mail server refused or failed: 535', 'The mail server did not let this server in.'],
  ['the mail server refused or failed: 550', 'The mail server says that this address takes no mail.'],
  ['the mail server refused or failed: 552', 'The mailbox is full.'],
  ['the mail server refused or failed: 554', 'The mail server refused it.'],
  ['the mail server refused or failed: 451', 'The mail server did not take it just then.'],
  ['something nobody foresaw: user@example.com', 'It could not be sent.'],
])('%s is told as: %s', (noted, words) => {
  expect(reasonInWords(noted)).toBe(words)
})
