import { createPasswords } from '../../accounts/passwords.ts'
import { keepDemoAccount, removeDemo, type Kept } from '../../personal-data/demo-accounts.ts'
import { migrate } from '../../db/migrate.ts'
import { EXIT_USAGE, onConfiguredDatabase } from './open-database.ts'

const keptWords: Record<Kept, string> = {
  kept: 'is an ordinary account now. It administers nothing: npm run admin gives that back.',
  'kept, needs a new password':
    'is an ordinary account now. Its password is published, so it stays shut until a new one is chosen by "Forgot your password?" on the sign-in page.',
  unknown: 'is no account of the demo.',
  'only the demo’s': 'stays the demo’s: its password is published, and no mail could bring it another one.',
}

/**
 * `npm run demo -- --remove`: deletes what the demo filled in. `--keep <email>`: takes one of its accounts out of it, for
 * whoever has made it their own. The server may be running meanwhile.
 */
async function main([option, email, ...more]: readonly string[]): Promise<number> {
  const isRemove = option === '--remove' && email === undefined
  const isKeep = option === '--keep' && email?.includes('@') === true && more.length === 0
  if (!isRemove && !isKeep) {
    process.stderr.write('Usage: npm run demo -- --remove\n       npm run demo -- --keep <email>\n')
    return EXIT_USAGE
  }
  return await onConfiguredDatabase({ statementTimeoutMs: 0 }, async (db) => {
    await migrate(db)
    if (isKeep) {
      const kept = await keepDemoAccount(db, email, createPasswords(), new Date())
      process.stdout.write(`${email} ${keptWords[kept]}\n`)
      return kept === 'kept' || kept === 'kept, needs a new password' ? 0 : 1
    }
    const { accounts, events, applications, promoCodes } = await removeDemo(db, new Date())
    process.stdout.write(
      accounts + promoCodes === 0
        ? 'There is nothing of the demo in this database.\n'
        : `Removed ${accounts} accounts, ${events} events with ${applications} applications, and ${promoCodes} promo codes of the demo.\n`,
    )
    return 0
  })
}

process.exitCode = await main(process.argv.slice(2))
