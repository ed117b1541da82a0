import { EXIT_CONFIG, loadConfig, readEnvironment } from '../config.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { createKnex } from '../db/knex-config.ts'
import { migrate } from '../db/migrate.ts'

/** `npm run admin -- <email>`: makes an existing account an admin. The server may be running meanwhile. */
async function main(email: string | undefined): Promise<number> {
  if (!email?.includes('@')) {
    process.stderr.write('Usage: npm run admin -- <email>\n')
    return 64
  }
  const loaded = loadConfig(readEnvironment())
  if (!loaded.ok) {
    process.stderr.write(`${loaded.errors.join('\n')}\n`)
    return EXIT_CONFIG
  }
  const { databaseUrl, dataDir } = loaded.config
  const embedded = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log: () => undefined }) : undefined
  const db = createKnex(databaseUrl ?? embedded?.connectionString ?? '')
  try {
    await migrate(db)
    const promoted = await db('users').whereRaw('lower(email) = lower(?)', [email]).update({ is_admin: true })
    const message =
      promoted === 1
        ? `${email} is an admin now.`
        : `There is no account with the e-mail address ${email}. Sign up first.`
    process.stdout.write(`${message}\n`)
    return promoted === 1 ? 0 : 1
  } finally {
    await db.destroy()
    await embedded?.stop()
  }
}

process.exitCode = await main(process.argv[2])
