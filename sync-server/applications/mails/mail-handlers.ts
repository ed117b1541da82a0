import { testEmailFailed } from '#shared/mail/mail-calls.ts'
import { signedIn } from '../../calls/signed-in.ts'
import { beforeTransaction, type Room } from '../../calls/handler.ts'
import { ProblemError } from '../../calls/problems.ts'
import { composeMail, type MailMessage } from '../../mail/mail-message.ts'
import type { MailTransport } from '../../mail/mail-transport.ts'
import { approvalLetter, type ApprovalEvent } from './decision.ts'

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
  updatedAt: new Date('2026-01-01T00:00:00Z'),
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

/** Calls that send mail at once, while somebody waits for it. */
export function mailHandlers(transport: MailTransport): Room<'sendTestEmail'> {
  return {
    sendTestEmail: beforeTransaction(async (call) => {
      const { email } = call.body
      await call.spend('test-email', `user:${signedIn(call).userId}`)
      try {
        await withinMs(longestWaitMs, transport.send(testMail(email, call.config.publicOrigin)))
      } catch (error) {
        call.log.warn({ err: error }, 'a test mail was not sent')
        throw new ProblemError('unavailable', testEmailFailed)
      }
      const message = transport.delivers
        ? `Test email sent to ${email}.`
        : `This demo delivers no email. What ${email} would get is shown at /mail-preview on the machine it runs on.`
      return async () => ({ message })
    }),
  }
}

/** Somebody looks at a button that long. */
const longestWaitMs = 30_000

async function withinMs(ms: number, sending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server took too long')), ms)
  })
  try {
    await Promise.race([sending, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
