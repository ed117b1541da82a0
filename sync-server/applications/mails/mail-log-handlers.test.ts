import { expect, it } from 'vitest'
import { unknownWhetherTaken } from '../../mail/mail-delivery.ts'
import { mailboxFull } from '../../mail/mail-allowance.ts'
import { reasonInWords } from './mail-log-handlers.ts'

it.each([
  [null, null],
  ['no mail server is configured (SMTP_URL)', 'This server has no mail server set up.'],
  [unknownWhetherTaken, 'Whether it arrived is not known. Sent again it may arrive twice.'],
  [
    'interrupted before the mail server answered: ETIMEDOUT',
    'Whether it arrived is not known. Sent again it may arrive twice.',
  ],
  [mailboxFull, 'This mailbox got many emails within a day. Send it again tomorrow.'],
  ['it waited for more than a week', 'It waited for more than a week.'],
  ['it could not be written', 'It could not be written.'],
  ['the attempts to send it were given up', 'It could not be sent.'],
  ['the mail server did not answer: ECONNREFUSED', 'The mail server could not be reached.'],
  ['the mail server did not answer: ETIMEDOUT', 'The mail server could not be reached.'],
  ['the mail server refused it: EAUTH', 'The mail server did not let this server in.'],
  ['the mail server refused it: 535', 'The mail server did not let this server in.'],
  ['the mail server refused it: 550', 'The mail server says that this address takes no mail.'],
  ['the mail server refused it: 552', 'The mailbox is full.'],
  ['the mail server refused it: 554', 'The mail server refused it.'],
  ['the mail server refused it: 451', 'The mail server did not take it just then.'],
  ['something nobody foresaw: user@example.com', 'It could not be sent.'],
])('%s is told as: %s', (noted, words) => {
  expect(reasonInWords(noted)).toBe(words)
})
