import type { Room } from '../calls/handler.ts'
import { setMailsAboutApplications, wantsMailsAboutApplications } from './mail-preference-store.ts'
import { signedIn } from '../calls/signed-in.ts'

/** What a user chooses about the mails they get. */
export const mailPreferenceHandlers: Room<'getMailPreferences' | 'setMailPreferences'> = {
  getMailPreferences: async (call) => ({
    newApplications: await wantsMailsAboutApplications(call.db, signedIn(call).userId),
  }),
  setMailPreferences: async (call) => {
    await setMailsAboutApplications(call.db, signedIn(call).userId, call.body.newApplications)
    return call.body
  },
}
