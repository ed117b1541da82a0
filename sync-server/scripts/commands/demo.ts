import type { Knex } from 'knex'
import { createPasswords } from '../../accounts/passwords.ts'
import { loadConfig } from '../../config.ts'
import { keepDemoAccount, openDemo, removeDemo, type Kept } from '../../personal-data/demo-closing.ts'
import { migrate } from '../../db/migrate.ts'
import { runAsProgram, usage, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'

const keptWords: Record<Kept, string> = {
  kept: 'is an ordinary account now. It administers nothing: npm run admin gives that back.',
  'kept, needs a new password':
    'is an ordinary account now. Its password is published, so it stays shut until a new one is chosen by "Forgot your password?" on the sign-in page.',
  unknown: 'is no account of the demo.',
  'only the demo’s': 'stays the demo’s: its password is published, and no mail could bring it another one.',
}

/**
 * `npm run demo --`: `--remove` deletes the demo; `--keep <email>` takes an account out of it; `--open` opens what a server
 * that was no demo has closed. The server may be running.
 */
export async function demo([option, email, ...more]: readonly string[], env: Environment): Promise<Ended> {
  const isRemove = option === '--remove' && email === undefined
  const isOpen = option === '--open' && email === undefined
  const isKeep = option === '--keep' && email?.includes('@') === true && more.length === 0
  if (!isRemove && !isKeep && !isOpen) return usage('demo -- --remove', 'demo -- --keep <email>', 'demo -- --open')
  return await onConfiguredDatabase(env, { statementTimeoutMs: 0 }, async (db) => {
    await migrate(db)
    if (isKeep) {
      const kept = await keepDemoAccount(db, email, createPasswords(), new Date())
      const status = kept === 'kept' || kept === 'kept, needs a new password' ? 0 : 1
      return { status, output: `${email} ${keptWords[kept]}\n` }
    }
    if (isOpen) return await open(db, env)
    const { accounts, events, applications, promoCodes } = await removeDemo(db, new Date())
    const output =
      accounts + promoCodes === 0
        ? 'There is nothing of the demo in this database.\n'
        : `Removed ${accounts} accounts, ${events} events with ${applications} applications, and ${promoCodes} promo codes of the demo.\n`
    return { status: 0, output }
  })
}

async function open(db: Knex, env: Environment): Promise<Ended> {
  const loaded = loadConfig(env)
  if (!loaded.ok || !loaded.config.demoAccounts)
    return {
      status: 1,
      output:
        'Nothing was opened: by its settings (DEMO_MODE, PUBLIC_ORIGIN) this server is no demo for this machine alone, and the passwords of the demo are published.\n',
    }
  const result = await openDemo(db, new Date())
  if ('liveAccounts' in result) {
    const accounts = result.liveAccounts === 1 ? '1 account' : `${result.liveAccounts} accounts`
    return { status: 1, output: `Nothing was opened: beside ${accounts} of people there is no demo.\n` }
  }
  const { opened } = result
  if (opened.length === 0) return { status: 0, output: 'No account of the demo is closed in this database.\n' }
  const output = `Opened ${opened.length} accounts of the demo: ${opened.join(', ')}. The sign-in page names them from the next start on.\n`
  return { status: 0, output }
}

await runAsProgram(import.meta.url, demo)
