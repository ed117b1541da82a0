import type { Knex } from 'knex'
import type { User } from '#shared/api/accounts.ts'
import { listSubscriptions } from '../billing/subscription-store.ts'
import type { UserRow } from '../db/tables.ts'
import { removePushSubscriptionsOfDevice } from '../devices/push-subscription-store.ts'
import type { HandlerCall, Room } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'
import { accountChange } from './account-document.ts'
import type { Passwords } from './passwords.ts'
import { signedIn } from './signed-in.ts'
import { presentUser } from './user-presenter.ts'
import { findUser, findUserByEmail, insertUser, setPasswordHash } from './user-store.ts'

/** Signing up, in and out, and who is signed in. */
export function accountHandlers(passwords: Passwords): Room<'getUser' | 'login' | 'register' | 'logout'> {
  return {
    getUser: async (call) => {
      const row = await findUser(call.db, signedIn(call).userId)
      if (!row) throw new ProblemError('sign_in_required', 'Please sign in.')
      return await present(call.db, row, call.now)
    },

    login: async (call) => {
      const { email, password } = call.body
      const subject = `${email.toLowerCase()} ${call.address}`
      await call.spend('login', subject)
      const row = await findUserByEmail(call.db, email)
      const matches = await passwords.verify(row?.password_hash, password)
      if (!row || !matches) throw new ProblemError('invalid_credentials', 'Invalid email or password')
      await call.spend.giveBack('login', subject)
      if (passwords.isOutdated(row.password_hash)) await setPasswordHash(call.db, row.id, await passwords.hash(password))
      await call.session.signIn(row.id)
      return await present(call.db, row, call.now)
    },

    register: async (call) => {
      await call.spend('register', call.address)
      const { username, email, password, organizationName } = call.body
      const passwordHash = await passwords.hash(password)
      const row = await insertUser(call.db, { username, email, passwordHash, organizationName })
      if (!row) return await registeredBefore(call, passwords)
      call.publish([await accountChange(call.db, row.id, call.now)])
      await call.session.signIn(row.id)
      return await present(call.db, row, call.now)
    },

    logout: async (call) => {
      if (call.caller && call.device) await removePushSubscriptionsOfDevice(call.db, call.caller.userId, call.device.id)
      await call.session.signOut()
      return undefined
    },
  }
}

/**
 * A registration whose answer was lost is sent again: with the same name, address and password it signs in. Anybody
 * else learns which of the two is taken.
 */
async function registeredBefore(call: HandlerCall<'register'>, passwords: Passwords): Promise<User> {
  const { username, email, password } = call.body
  const row = await findUserByEmail(call.db, email)
  if (!row) {
    const message = 'This username is already taken'
    throw new ProblemError('already_exists', message, { fields: { username: message } })
  }
  const sameName = row.username.toLowerCase() === username.toLowerCase()
  if (sameName && (await passwords.verify(row.password_hash, password))) {
    await call.session.signIn(row.id)
    return await present(call.db, row, call.now)
  }
  const message = 'An account with this email already exists'
  throw new ProblemError('already_exists', message, { fields: { email: message } })
}

async function present(db: Knex, row: UserRow, now: Date): Promise<User> {
  return presentUser(row, await listSubscriptions(db, row.id), now)
}
