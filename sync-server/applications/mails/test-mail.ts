import { approvalLetter, type ApprovalEvent } from './approval-letter.ts'
import { composeMail, type MailMessage } from '../../mail/mail-message.ts'

const note = `This is a test email. Nobody was approved: it shows what a Beacon gets when you approve them, with made-up values.`

const event: ApprovalEvent = {
  id: 0,
  name: 'Sample Networking Evening',
  description: 'An evening that takes place in test emails only.',
  startDate: '2030-03-01',
  endDate: '2030-03-01',
  startTime: '18:30',
  endTime: '21:00',
  timeZone: 'America/Chicago',
  location: 'The Sample Hall',
  address: '1 Harbor Way',
  city: 'Chicago',
  state: 'Illinois',
  zipCode: '60611',
  beaconInstructions: 'Please be at the welcome desk 30 minutes before the doors open.',
  promoCode: 'SAMPLE-CODE',
  customBeaconEmailSubject: null,
  customBeaconEmailBody: null,
  edition: 1,
  changedAt: new Date('2026-01-01T00:00:00Z'),
}

/** The approval mail as the default template makes it, filled with sample values. Its content is fixed: nobody's words go out. */
export function testMail(address: string, publicOrigin: string): MailMessage {
  const { subject, text, attachments } = approvalLetter(
    { firstName: 'Ana', lastName: 'Sample' },
    event,
    true,
    publicOrigin,
  )
  const action = { label: 'Open Your Own Page', path: '/events' }
  return composeMail(
    { to: { name: '', address }, subject: `Test: ${subject}`, text: `${note}\n\n${text}`, action, attachments },
    publicOrigin,
  )
}
