import { startSmtpService, type SmtpService } from '../../../sync-server/testing/mail/smtp-service.ts'
import { test as journey } from '../journey.ts'

/** A journey whose server hands its mails to a mail server of the test's own. */
export const test = journey.extend<{ smtp: SmtpService }>({
  smtp: async ({}, use) => {
    const service = await startSmtpService()
    await use(service)
    await service.close()
  },
  serverEnv: async ({ smtp }, use) => use({ SMTP_URL: smtp.url, MAIL_FROM: 'Beaconry <hello@beaconry.example>' }),
})
