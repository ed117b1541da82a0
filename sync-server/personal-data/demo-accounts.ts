import type { Knex } from 'knex'
import { DEMO_LOCK } from '../db/seeds/seed-demo.ts'
import { deleteAccount } from './delete-account.ts'

/** These accounts were made on a server that was no demo. A database with one of them is no demo. */
export async function countLiveAccounts(db: Knex): Promise<number> {
  const live: { count: number }[] = await db('users').where({ madeLive: true }).select(db.raw('count(*)::int as count'))
  return live[0]?.count ?? 0
}

/** Their passwords are published. */
export async function listDemoEmails(db: Knex): Promise<string[]> {
  return await db('users').whereNotNull('demoRole').orderBy('id').pluck('email')
}

export async function hasDemo(db: Knex): Promise<boolean> {
  if ((await listDemoEmails(db)).length > 0) return true
  return (await db('promo_codes').where({ isDemo: true }).first('id')) !== undefined
}

export interface RemovedDemo {
  readonly accounts: number
  readonly events: number
  readonly applications: number
  readonly promoCodes: number
}

/** Removes all that the accounts have and the promo codes, too. Sends no mail. */
export async function removeDemo(db: Knex, now: Date): Promise<RemovedDemo> {
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [DEMO_LOCK])
    const removed = { accounts: 0, events: 0, applications: 0 }
    const ids: number[] = await trx('users').whereNotNull('demoRole').orderBy('id').pluck('id')
    for (const id of ids) {
      const deleted = await deleteAccount(trx, id, { now, tellApplicants: false })
      removed.accounts += 1
      removed.events += deleted.events
      removed.applications += deleted.applications
    }
    return { ...removed, promoCodes: await trx('promo_codes').where({ isDemo: true }).del() }
  })
}
