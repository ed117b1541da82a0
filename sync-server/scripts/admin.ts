import { migrate } from '../db/migrate.ts'
import { EXIT_USAGE, onConfiguredDatabase } from './open-database.ts'

/** `npm run admin -- <email>`: makes an existing account an admin. The server may be running meanwhile. */
async function main(email: string | undefined): Promise<number> {
  if (!email?.includes('@')) {
    process.stderr.write('Usage: npm run admin -- <email>\n')
    return EXIT_USAGE
  }
  return await onConfiguredDatabase({}, async (db) => {
    await migrate(db)
    const promoted = await db('users').whereRaw('lower(email) = lower(?)', [email]).update({ is_admin: true })
    const message =
      promoted === 1
        ? `${email} is an admin now.`
        : `There is no account with the e-mail address ${email}. Sign up first.`
    process.stdout.write(`${message}\n`)
    return promoted === 1 ? 0 : 1
  })
}

process.exitCode = await main(process.argv[2])
