import type { UserRow } from '../db/rows/account-rows.ts'
import { signedIn } from '../calls/access.ts'
import { refusedField } from '../calls/problems.ts'
import type { Passwords } from './passwords.ts'
import { beginPasswordTry, type Trying } from './sign-in-tries.ts'
import { existing, findUser } from './user-store.ts'

/**
 * Checks the caller's password, and counts the try like a sign-in. `typed` has the field and its content, and others
 * that may hold the password instead. Returns the account; a refusal names the first field.
 */
export async function checkCurrentPassword(
  call: Trying & Parameters<typeof signedIn>[0],
  passwords: Passwords,
  typed: Readonly<Record<string, string>>,
): Promise<UserRow> {
  const user = existing(await findUser(call.db, signedIn(call).userId))
  const attempt = await beginPasswordTry(call, user.email)
  const matches = await attempt.check(async () => {
    for (const password of Object.values(typed))
      if (await passwords.verify(user.passwordHash, password, call.address)) return true
    return false
  })
  if (!matches) {
    await attempt.failed(user.id)
    throw wrongPassword(Object.keys(typed)[0] ?? 'password')
  }
  await attempt.succeeded()
  return user
}

// The status is not 401, which a page takes for the session's end.
export const wrongPassword = (field: string) => refusedField('forbidden', field, 'This is not your current password')
