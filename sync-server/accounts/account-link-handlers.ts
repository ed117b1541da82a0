import type { Config } from '../config.ts'
import type { AccountLinkRow, UserRow } from '../db/rows/account-rows.ts'
import type { HandlerCall, Handlers } from '../calls/handler.ts'
import { ProblemError, refusedField } from '../calls/problems.ts'
import { forgetBrowsers } from '../http/known-browser.ts'
import { revokeSessions } from '../http/session-cookies.ts'
import { checkLink, endLinks, findLink, spendLink } from './account-links.ts'
import { mailContactChanged, mailEmailChanged, mailLink, askForPasswordReset } from './account-mails.ts'
import { refuseEasyPassword } from './easy-password.ts'
import type { Passwords } from './passwords.ts'
import { checkCurrentPassword } from './current-password.ts'
import { forgivePasswordTries } from './sign-in-tries.ts'
import { signedIn } from '../calls/access.ts'
import { listMemberIds } from '../team/team-store.ts'
import { changeUser, emailTaken, existing, findUser, findUserByEmail, lockUser, nameTaken } from './user-store.ts'

export function accountLinkHandlers(passwords: Passwords) {
  return {
    setProfile: {
      before: async (call) => {
        const { contactEmail, password } = call.body
        const user = existing(await findUser(call.db, signedIn(call).userId))
        // Answers to all mails go there, so an open session alone may not turn them elsewhere.
        if (!isOtherContact(user, contactEmail)) return async (inside) => await setProfile(inside, { isProven: false })
        if (password === undefined)
          throw refusedField('forbidden', 'password', 'Please enter your current password to change the contact email')
        await checkCurrentPassword(call, passwords, { password })
        return async (inside) => await setProfile(inside, { isProven: true })
      },
    },

    requestPasswordReset: async (call) => {
      const { email } = call.body
      refuseWithoutMail(call.config)
      await call.spend('password-reset-address', call.address)
      await call.spend('password-reset', email.toLowerCase())
      await askForPasswordReset(call.db, (await findUserByEmail(call.db, email))?.id ?? null)
      return told(call.config, 'If an account has this email, a link to choose a new password is on its way to it.')
    },

    readAccountLink: async (call) => {
      await call.spend('account-link', call.address)
      const link = await findLink(call.db, call.body.token)
      checkLink(link, ['reset', 'verify', 'change', 'contact'], call.now)
      return { purpose: link.purpose, email: link.email }
    },

    resetPassword: {
      before: async (call) => {
        await call.spend('account-link', call.address)
        const link = await findLink(call.db, call.body.token)
        checkLink(link, ['reset'], call.now)
        await refuseEasyPassword(call.body.password, existing(await findUser(call.db, link.userId)))
        const passwordHash = await passwords.hash(call.body.password, call.address)
        return async (inside) => {
          const { db, caller, wishSession, sessionHash, touch, now } = inside
          const user = existing(await lockUser(db, link.userId))
          await spendLink(db, link, now)
          await db('users')
            .where({ id: user.id })
            .update({
              passwordHash,
              passwordChangedAt: now,
              emailVerifiedAt: db.raw('coalesce(email_verified_at, ?)', [now]),
              // An intruder may have had it confirmed.
              contactEmail: db.raw('case when lower(contact_email) = lower(email) then contact_email end'),
            })
          if (user.contactEmail !== null) await showHost(inside, user.id)
          // An intruder, whom the new password is to keep out, may have asked for another address.
          await endLinks(db, user.id, ['verify', 'change', 'contact'], now)
          await revokeSessions(db, { userId: user.id, except: caller?.userId === user.id ? sessionHash : null }, now)
          touch({ what: 'account', id: user.id })
          await forgivePasswordTries(inside, user.email)
          // Only this browser knows the new password: strangers who guess at it cannot keep its owner out.
          await forgetBrowsers(db, user.id)
          wishSession({ rememberBrowser: user.id })
          return { email: user.email }
        }
      },
    },

    confirmEmail: async (call) => {
      const { db, now } = call
      await call.spend('account-link', call.address)
      const found = await findLink(db, call.body.token)
      const user = found && (await lockUser(db, found.userId))
      if (found?.purpose === 'contact') return await confirmContact(call, found, existing(user))
      if (found && user && isDone(found.email, user)) return { purpose: 'verify', email: user.email }
      checkLink(found, ['verify', 'change'], now)
      const before = existing(user)
      await spendLink(db, found, now)
      const isChange = found.purpose === 'change'
      if (!(await changeUser(db, before.id, { email: found.email, emailVerifiedAt: now }))) throw emailTaken()
      if (isChange) {
        // A link sent to the old address must not open the account.
        await endLinks(db, before.id, ['reset', 'verify', 'change'], now)
        await mailEmailChanged(db, before, found.id)
      }
      call.touch({ what: 'account', id: before.id })
      return { purpose: isChange ? 'change' : 'verify', email: found.email }
    },

    resendVerification: async (call) => {
      const { userId } = signedIn(call)
      refuseWithoutMail(call.config)
      await call.spend('verification-mail', `user:${userId}`)
      const user = existing(await lockUser(call.db, userId))
      if (user.emailVerifiedAt !== null) return { message: 'Your email is confirmed already.' }
      await mailLink(call.db, user, { purpose: 'verify' }, call.now)
      return verificationTold(call.config, user)
    },

    requestEmailChange: {
      before: async (call) => {
        const { userId } = signedIn(call)
        const { email, password } = call.body
        refuseWithoutMail(call.config)
        await call.spend('email-change', `user:${userId}`)
        await checkCurrentPassword(call, passwords, { password })
        // The reader of that mailbox has not asked for mail.
        await call.spend('email-change-mailbox', email.toLowerCase())
        return async ({ db, now }) => {
          const user = existing(await lockUser(db, userId))
          const owner = await findUserByEmail(db, email)
          if (owner && owner.id !== userId) throw emailTaken()
          if (owner && owner.emailVerifiedAt !== null)
            throw refusedField('invalid_input', 'email', 'This is your email already')
          if (owner) {
            await mailLink(db, user, { purpose: 'verify' }, now)
            return verificationTold(call.config, user)
          }
          await mailLink(db, user, { purpose: 'change', email }, now)
          return told(
            call.config,
            `A link is on its way to ${email}. Confirm there within 24 hours and the change is made.`,
          )
        }
      },
    },
  } satisfies Partial<Handlers>
}

const isOtherContact = (user: UserRow, contactEmail: string | null | undefined) =>
  contactEmail !== undefined && contactEmail !== user.contactEmail

/** The earlier contact address stays until another one is confirmed. */
async function setProfile(
  call: HandlerCall<'setProfile'>,
  { isProven }: { readonly isProven: boolean },
): Promise<{ message: string }> {
  const { db, now } = call
  const { userId } = signedIn(call)
  const { username, organizationName, contactEmail } = call.body
  await call.spend('profile', `user:${userId}`)
  const user = existing(await lockUser(db, userId))
  const isOther = isOtherContact(user, contactEmail)
  // Another device has changed it since the password was asked for.
  if (isOther && !isProven) throw new ProblemError('conflict', 'The contact email was just changed. Please look again.')
  const isRead =
    contactEmail === undefined ||
    contactEmail === null ||
    contactEmail === user.contactEmail ||
    isDone(contactEmail, user)
  const columns = {
    ...(username === undefined ? {} : { username }),
    ...(organizationName === undefined ? {} : { organizationName }),
    ...(isRead && contactEmail !== undefined ? { contactEmail } : {}),
  }
  if (Object.keys(columns).length > 0 && !(await changeUser(db, userId, columns))) throw nameTaken()
  await showHost(call, userId)
  if (contactEmail !== undefined) await endLinks(db, userId, ['contact'], now)
  if (isOther && isRead) await mailContactChanged(db, user, { step: 'contact-done', now })
  if (isRead) return { message: 'Guests see it at once.' }
  refuseWithoutMail(call.config)
  await call.spend('email-change-mailbox', contactEmail.toLowerCase())
  await mailLink(db, user, { purpose: 'contact', email: contactEmail }, now)
  await mailContactChanged(db, user, { step: 'contact-asked', now })
  return told(
    call.config,
    `A link is on its way to ${contactEmail}. Guests see the address once it is confirmed there.`,
  )
}

async function confirmContact(call: HandlerCall<'confirmEmail'>, found: AccountLinkRow, user: UserRow) {
  const { email } = found
  if (user.contactEmail !== email) {
    checkLink(found, ['contact'], call.now)
    await spendLink(call.db, found, call.now)
    await changeUser(call.db, user.id, { contactEmail: email })
    await mailContactChanged(call.db, user, { step: 'contact-done', now: call.now })
    await showHost(call, user.id)
  }
  return { purpose: 'contact' as const, email }
}

/** Every public event names its host, and so does each membership of the team. */
async function showHost(
  { db, touch }: HandlerCall<'setProfile' | 'confirmEmail' | 'resetPassword'>,
  userId: number,
): Promise<void> {
  const events = await db('events').where({ organizerId: userId }).orderBy('id').select('id')
  const memberIds = await listMemberIds(db, userId)
  touch(
    ...[userId, ...memberIds].map((id) => ({ what: 'account' as const, id })),
    ...events.map(({ id }) => ({ what: 'opening' as const, id, organizerId: userId })),
  )
}

/** A link opened again, or by a mail program first, finds its work done. */
const isDone = (email: string, user: UserRow) =>
  user.emailVerifiedAt !== null && user.email.toLowerCase() === email.toLowerCase()

function told({ smtpUrl }: Pick<Config, 'smtpUrl'>, message: string): { message: string } {
  const inDemo =
    'This demo delivers no email. What it would have sent is shown at /mail-preview on the machine it runs on.'
  return { message: smtpUrl === null ? inDemo : message }
}

const verificationTold = (config: Pick<Config, 'smtpUrl'>, { email }: UserRow) =>
  told(config, `A link is on its way to ${email}. It works for seven days.`)

/** Keeps a user from waiting for a mail that never comes. */
function refuseWithoutMail({ smtpUrl, demoMode }: Pick<Config, 'smtpUrl' | 'demoMode'>): void {
  if (smtpUrl === null && !demoMode)
    throw new ProblemError('unavailable', 'This server sends no email. Please ask its operator.')
}
