import type { Knex } from 'knex'
import type { HandlerCall } from '../calls/handler.ts'
import { isKnownBrowser } from '../http/known-browser.ts'
import type { RouteName } from '#shared/api/routes.ts'

type Trying = Pick<HandlerCall<RouteName>, 'db' | 'spend' | 'address' | 'browser' | 'log' | 'now'>

/** A password that may be checked now. Say what came of it. */
export interface PasswordTry {
  /** Checks it. What cannot be checked now, because too many people sign in, has not been tried. */
  check(verify: () => Promise<boolean>): Promise<boolean>
  /** It was the right one: what it had spent is given back. */
  succeeded(): Promise<void>
  /** It was wrong: it stays spent, and is counted in `failed_sign_ins`. */
  failed(userId: number | undefined): Promise<void>
}

/**
 * Asks whether a password for an account may be checked, before it is. Tries are counted by account and address, by
 * address over all accounts, and by account over all addresses; a browser in which the account was used before is
 * counted by itself alone, so that no other browser can use up its tries. Throws `too_many_requests`. An address without
 * an account is counted like any other.
 */
export async function beginPasswordTry(call: Trying, email: string): Promise<PasswordTry> {
  const { db, spend, address, log, now } = call
  const account = email.toLowerCase()
  const isKnown = await isKnownBrowser(db, call.browser, account)
  const place = loginSubject(account, isKnown ? `browser ${call.browser}` : address)
  if (!isKnown) {
    // Looked at first: who is refused anyway shall not use anything up.
    await spend.check('login-address', address)
    await spend.check('login-account', account)
  }
  await spend('login', place)
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
    check: async (verify) => {
      try {
        return await verify()
      } catch (error) {
        await spend.refund('login', place)
        await refund()
        throw error
      }
    },
    succeeded: async () => {
      await spend.giveBack('login', place)
      await refund()
    },
    failed: async (userId) => {
      log.info({ account: userId ?? null }, 'a sign-in failed')
      await countFailedSignIn(db, userId, now)
    },
  }
}

/** Names an account and where from, as the allowance for tries counts them. */
const loginSubject = (email: string, place: string) => `${email.toLowerCase()} ${place}`

/** Forgets the wrong passwords of an account from an address and a browser: its owner has shown who they are. */
export async function forgivePasswordTries(
  { spend, address, browser }: Pick<Trying, 'spend' | 'address' | 'browser'>,
  email: string,
): Promise<void> {
  await spend.giveBack('login', loginSubject(email, address))
  if (browser !== null) await spend.giveBack('login', loginSubject(email, `browser ${browser}`))
}

/**
 * One row for an account and an hour, however often it happens, and one for all addresses without an account:
 * what strangers do to an account can be seen, and cannot fill the disk.
 */
async function countFailedSignIn(db: Knex, userId: number | undefined, now: Date): Promise<void> {
  await db.raw(
    `insert into failed_sign_ins as f (user_id, hour, times, last_at)
     values ((select id from users where id = ?), date_trunc('hour', ?::timestamptz, 'UTC'), 1, ?)
     on conflict (coalesce(user_id, 0), hour) do update set times = f.times + 1, last_at = excluded.last_at`,
    [userId ?? null, now, now] as Knex.Value[],
  )
}
