import { leavesOf, parseMime } from '../../../sync-server/testing/mail/mime.ts'
import { startSmtpService, type SmtpService } from '../../../sync-server/testing/mail/smtp-service.ts'
import { expect, test as journey } from '../journey.ts'

/** A journey whose server hands its mails to a mail server of the test's own. */
export const test = journey.extend<{ smtp: SmtpService }>({
  smtp: async ({}, use) => {
    const service = await startSmtpService()
    await use(service)
    await service.close()
  },
  serverEnv: async ({ smtp }, use) => use({ SMTP_URL: smtp.url, MAIL_FROM: 'Beaconry <hello@beaconry.example>' }),
})

/** What mails to an address say, the newest last. */
export const textsTo = (smtp: SmtpService, address: string) =>
  smtp.received
    .filter(({ to }) => to.includes(address))
    .map(({ raw }) => leavesOf(parseMime(raw)).find(({ type }) => type === 'text/plain')?.content ?? '')

/** The link in the newest mail to an address, once that many have arrived. */
export async function linkTo(smtp: SmtpService, address: string, mails = 1): Promise<string> {
  await expect.poll(() => textsTo(smtp, address)).toHaveLength(mails)
  return /http:\/\/localhost:\d+\/auth#(?:reset|verify)=[\w-]{43}/.exec(textsTo(smtp, address).at(-1) ?? '')?.[0] ?? ''
}
