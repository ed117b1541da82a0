import type { Knex } from 'knex'
import { beforeTransaction, type Handlers } from '../calls/handler.ts'
import { forgetBrowsers } from '../http/known-browser.ts'
import { revokeSessions } from '../http/session-cookies.ts'
import { endLinks } from './account-links.ts'
import { mailPasswordChanged } from './account-mails.ts'
import { checkCurrentPassword, wrongPassword } from './current-password.ts'
import { refuseEasyPassword } from './easy-password.ts'
import type { Passwords } from './passwords.ts'

export function passwordHandlers(passwords: Passwords) {
  return {
    changePassword: beforeTransaction(async (call) => {
      const { currentPassword, password } = call.body
      // The new one too: a change whose answer was lost is sent again.
      const checked = await checkCurrentPassword(call, passwords, { currentPassword, password })
      await refuseEasyPassword(password, checked)
      const passwordHash = await passwords.hash(password, call.address)
      return async ({ db, session, sessionHash, now }) => {
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
        await session.rememberBrowser(checked.id)
        await mailPasswordChanged(db, checked, now)
        return undefined
      }
    }),
  } satisfies Partial<Handlers>
}
