import { placeholderValues, renderApprovalMail } from '#shared/domain/email-template.ts'
import { composeMail, type MailMessage } from './mail-message.ts'

const note = `This is a test email. Nobody was approved: it shows what a Beacon gets when you approve them, with made-up values.`

/** The approval mail as the default template makes it, filled with sample values. Its content is fixed: nobody's words go out. */
export function testMail(address: string, publicOrigin: string): MailMessage {
  const values = placeholderValues({
    firstName: 'Ana',
    lastName: 'Sample',
    eventName: 'Sample Networking Evening',
    eventDate: 'March 1, 2030, 6:30 PM to 9:00 PM',
    eventLocation: 'The Sample Hall, 1 Harbor Way, Chicago, Illinois',
    beaconInstructions: 'Please be at the welcome desk 30 minutes before the doors open.',
    promoCode: 'SAMPLE-CODE',
  })
  const { subject, text } = renderApprovalMail({ subject: null, body: null }, values)
  return composeMail(
    { to: { name: '', address }, subject: `Test: ${subject}`, text: `${note}\n\n${text}` },
    publicOrigin,
  )
}
