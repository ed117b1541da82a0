import type { Knex } from 'knex'
import type { HandlerCall } from '../calls/handler.ts'
import { isKnownBrowser } from '../http/known-browser.ts'
import type { RouteName } from '#shared/api/routes.ts'

export type Trying = Pick<HandlerCall<RouteName>, 'db' | 'spend' | 'address' | 'browser' | 'log' | 'now'>

/**
 * Counts by account and address, by address, and by account; a known browser on its own. Throws `too_many_requests`.
 * An address without an account is counted like any other.
 */
export async function beginPasswordTry(call: Trying, email: string) {
  const { db, spend, address, log, now } = call
  const account = email.toLowerCase()
  const isKnown = await isKnownBrowser(db, call.browser, account)
  const subject = loginSubject(account, isKnown ? `browser ${call.browser}` : address)
  if (!isKnown) {
    // The address is checked first, so that a refused caller uses nothing up.
    await spend.check('login-address', address)
    await spend.check('login-account', account)
  }
  await spend('login', subject)
  if (!isKnown) {
    await spend('login-address', address)
    await spend('login-account', account)
  }
  const refund = async () => {
    if (isKnown) return
    await spend.refund('login-address', address)
    await spend.refund('login-account', account)
  }
  return {
    /** A check refused for too many sign-ins counts as not tried. */
    check: async (verify: () => Promise<boolean>): Promise<boolean> => {
      try {
        return await verify()
      } catch (error) {
        await spend.refund('login', subject)
        await refund()
        throw error
      }
    },
    /** Gives back what it had spent. */
    succeeded: async (): Promise<void> => {
      await spend.giveBack('login', subject)
      await refund()
    },
    /** Stays spent, and is counted in `failed_sign_ins`. */
    failed: async (userId: number | undefined): Promise<void> => {
      log.info({ account: userId ?? null }, 'a sign-in failed')
      await countFailedSignIn(db, userId, now)
    },
  }
}

const loginSubject = (email: string, from: string) => `${email.toLowerCase()} ${from}`

/** The owner has shown who they are, from this address and browser. */
export async function forgivePasswordTries(
  { spend, address, browser }: Pick<Trying, 'spend' | 'address' | 'browser'>,
  email: string,
): Promise<void> {
  await spend.giveBack('login', loginSubject(email, address))
  if (browser !== null) await spend.giveBack('login', loginSubject(email, `browser ${browser}`))
}

/** Addresses without an account share one row, so that strangers' tries cannot fill the disk. */
async function countFailedSignIn(db: Knex, userId: number | undefined, now: Date): Promise<void> {
  await db.raw(
    `insert into failed_sign_ins as f (user_id, hour, times, last_at)
     values ((select id from users where id = ?), date_trunc('hour', ?::timestamptz, 'UTC'), 1, ?)
     on conflict (coalesce(user_id, 0), hour) do update set times = f.times + 1, last_at = excluded.last_at`,
    [userId ?? null, now, now] as Knex.Value[],
  )
}
