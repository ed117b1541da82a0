import { prepareServerProcess, type ServerProcess } from '../server-process.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { startSmtpService, type SmtpService } from './smtp-service.ts'

/** A server that may be killed, on a database of its own, whose mails go to a mail server on loopback. */
export interface MailingServer {
  readonly database: TestDatabase
  readonly service: SmtpService
  readonly server: ServerProcess
  close(): Promise<void>
}

/** Starts all three; the server runs from its source. */
export async function startMailingServer(env: Record<string, string> = {}): Promise<MailingServer> {
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
