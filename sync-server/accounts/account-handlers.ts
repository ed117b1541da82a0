import { createHmac, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { User } from '#shared/accounts/account-calls.ts'
import { listSubscriptions } from '../billing/subscription-store.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { Make, HandlerCall, Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { forgetBrowsers } from '../http/known-browser.ts'
import { revokeSessions } from '../http/session-cookies.ts'
import { endLinks } from './account-links.ts'
import { mailLink, mailPasswordChanged } from './account-mails.ts'
import { checkCurrentPassword, wrongPassword } from './current-password.ts'
import { refuseEasyPassword } from './easy-password.ts'
import {
  emailTaken,
  findUser,
  findUserByEmail,
  insertUser,
  nameTaken,
  setMailsAboutApplications,
} from './user-store.ts'
import type { Passwords } from './passwords.ts'
import { beginPasswordTry } from './sign-in-tries.ts'
import { signedIn } from '../calls/access.ts'
import { presentUser } from '../billing/account-document.ts'

export function accountHandlers(passwords: Passwords) {
  const checkOnce = createOneTryForTwins()
  return {
    getUser: async (call) => {
      const row = await findUser(call.db, signedIn(call).userId)
      if (!row) throw new ProblemError('sign_in_required', 'Please sign in.')
      return await present(call.db, row, call.now)
    },

    findSession: async ({ db, caller, now }) => {
      const row = caller && (await findUser(db, caller.userId))
      return { user: row ? await present(db, row, now) : null }
    },

    login: {
      before: async (call) => {
        const { found, rehashed } = await checkOnce(call, () => checkPassword(call, passwords))
        await call.spend('sign-in', `user:${found.id}`)
        return async ({ db, wishSession, now }) => {
          const row = await findUser(db, found.id)
          // A password that was replaced by now must not let its sender in.
          if (!row || row.closedAt !== null || !isSamePassword(row, found)) throw wrongCredentials()
          if (rehashed !== undefined)
            await db('users').where({ id: row.id, passwordHash: row.passwordHash }).update({ passwordHash: rehashed })
          wishSession({ signIn: row.id })
          return await present(db, row, now)
        }
      },
    },

    register: {
      before: async (call) => {
        await call.spend('register', call.address)
        const { username, email, password, organizationName } = call.body
        await refuseEasyPassword(password, { username, email })
        const before = await findUserByEmail(call.db, email)
        if (before) return await registeredBefore(call, before, passwords)
        const passwordHash = await passwords.hash(password, call.address)
        return async (inside) => {
          const { db, wishSession, touch, now } = inside
          const madeLive = !inside.config.demoAccounts
          const row = await insertUser(db, { username, email, passwordHash, organizationName, madeLive })
          // Either a simultaneous twin or a taken name is in the way.
          if (!row) return await (await registeredBefore(inside, await findUserByEmail(db, email), passwords))(inside)
          await mailLink(db, row, { purpose: 'verify' }, now)
          touch({ what: 'account', id: row.id })
          wishSession({ signIn: row.id })
          return await present(db, row, now)
        }
      },
    },

    changePassword: {
      before: async (call) => {
        const { currentPassword, password } = call.body
        // The new one too: a change whose answer was lost is sent again.
        const checked = await checkCurrentPassword(call, passwords, { currentPassword, password })
        await refuseEasyPassword(password, checked)
        const passwordHash = await passwords.hash(password, call.address)
        return async ({ db, wishSession, sessionHash, now }) => {
          const changed = await db('users')
            .where({ id: checked.id })
            .whereRaw('password_changed_at is not distinct from ?::timestamptz', [
              checked.passwordChangedAt as Knex.Value,
            ])
            .update({ passwordHash, passwordChangedAt: now })
          if (changed === 0) throw wrongPassword('currentPassword')
          // An intruder, whom the new password is to keep out, may have asked for another address.
          await endLinks(db, checked.id, ['reset', 'change', 'contact'], now)
          await revokeSessions(db, { userId: checked.id, except: sessionHash }, now)
          await forgetBrowsers(db, checked.id)
          wishSession({ rememberBrowser: checked.id })
          await mailPasswordChanged(db, checked, now)
          return undefined
        }
      },
    },

    logout: async ({ db, caller, device, wishSession }) => {
      if (caller && device) await db('push_subscriptions').where({ userId: caller.userId, deviceId: device.id }).del()
      wishSession('sign-out')
      return undefined
    },

    getMailPreferences: async (call) => {
      const user = await findUser(call.db, signedIn(call).userId)
      return { newApplications: user?.mailNewApplications === true }
    },

    setMailPreferences: async (call) => {
      await setMailsAboutApplications(call.db, signedIn(call).userId, call.body.newApplications)
      return call.body
    },
  } satisfies Partial<Handlers>
}

interface Checked {
  readonly found: UserRow
  readonly rehashed: string | undefined
}

async function checkPassword(call: HandlerCall<'login'>, passwords: Passwords): Promise<Checked> {
  const { email, password } = call.body
  const attempt = await beginPasswordTry(call, email)
  const found = await findUserByEmail(call.db, email)
  const matches = await attempt.check(() => passwords.verify(found?.passwordHash, password, call.address))
  if (!found || !matches) {
    await attempt.failed(found?.id)
    throw wrongCredentials()
  }
  await attempt.succeeded()
  const isOutdated = passwords.isOutdated(found.passwordHash)
  return { found, rehashed: isOutdated ? await passwords.hash(password, call.address) : undefined }
}

/**
 * Equal sign-ins of a person who presses again share one hash and one point, under a keyed hash that only this process
 * can compute.
 */
function createOneTryForTwins() {
  const secret = randomBytes(32)
  const underWay = new Map<string, Promise<Checked>>()
  return async (
    { body: { email, password }, address, browser }: HandlerCall<'login'>,
    check: () => Promise<Checked>,
  ): Promise<Checked> => {
    const same = createHmac('sha256', secret)
      .update(JSON.stringify([email.toLowerCase(), password, address, browser]))
      .digest('base64')
    const first = underWay.get(same)
    if (first) return await first
    const checking = check().finally(() => underWay.delete(same))
    underWay.set(same, checking)
    return await checking
  }
}

const isSamePassword = (one: UserRow, other: UserRow) =>
  one.passwordChangedAt?.getTime() === other.passwordChangedAt?.getTime()

const wrongCredentials = () => new ProblemError('invalid_credentials', 'Invalid email or password')

/** The same name, address and password signs in; any other learns that the address is taken. */
async function registeredBefore(
  call: HandlerCall<'register'>,
  row: UserRow | undefined,
  passwords: Passwords,
): Promise<Make<'register'>> {
  const { username, password } = call.body
  let isSame = false
  if (row?.username.toLowerCase() === username.toLowerCase()) {
    // Reveals as much about the password as signing in.
    const attempt = await beginPasswordTry(call, row.email)
    isSame = await attempt.check(() => passwords.verify(row.passwordHash, password, call.address))
    await (isSame ? attempt.succeeded() : attempt.failed(row.id))
  }
  return async ({ db, wishSession, now }) => {
    if (!row || row.closedAt !== null || !isSame)
      throw (await findUserByEmail(db, call.body.email)) ? emailTaken() : nameTaken()
    wishSession({ signIn: row.id })
    return await present(db, row, now)
  }
}

async function present(db: Knex, row: UserRow, now: Date): Promise<User> {
  return presentUser(row, await listSubscriptions(db, row.id), now)
}
