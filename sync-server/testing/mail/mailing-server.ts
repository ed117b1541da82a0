import { prepareServerProcess } from '../server-process.ts'
import { createTestDatabase } from '../test-database.ts'
import { startSmtpService } from './smtp-service.ts'

export type MailingServer = Awaited<ReturnType<typeof startMailingServer>>

/** A server that may be killed, from its source, on a database of its own; its mails go to a mail server on loopback. */
export async function startMailingServer(env: Record<string, string> = {}) {
  const database = await createTestDatabase()
  const service = await startSmtpService()
  const server = await prepareServerProcess(
    {
      DATABASE_URL: database.connectionString,
      SMTP_URL: service.url,
      MAIL_FROM: 'Beaconry <hello@beaconry.example>',
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
