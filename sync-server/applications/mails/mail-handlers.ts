import { testEmailFailed } from '#shared/mail/mail-calls.ts'
import { signedIn } from '../../calls/signed-in.ts'
import { beforeTransaction, type Room } from '../../calls/handler.ts'
import { ProblemError } from '../../calls/problems.ts'
import type { MailTransport } from '../../mail/mail-transport.ts'
import { testMail } from './test-mail.ts'

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
