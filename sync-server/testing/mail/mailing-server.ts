import { prepareServerProcess } from '../server-process.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { startSmtpService } from './smtp-service.ts'

export type MailingServer = Awaited<ReturnType<typeof startMailingServer>>

/** A server that may be killed, from its source, on a database of its own unless one is given; its mails go to a mail server on loopback. */
export async function startMailingServer(env: Record<string, string> = {}, given?: TestDatabase) {
  const database = given ?? (await createTestDatabase())
  const service = await startSmtpService()
  const server = await prepareServerProcess(
    {
      DATABASE_URL: database.connectionString,
      SMTP_URL: service.url,
      MAIL_FROM: 'Beaconry <hello@beaconry.example>',
      // The demo's events send mails of their own at some hours of the day.
      DEMO_MODE: '0',
      ...env,
    },
    { fromSource: true },
  )
  await server.start()
  return {
    database,
    service,
    server,
    close: async () => {
      await server.kill()
      await service.close()
      await database.drop()
    },
  }
}
