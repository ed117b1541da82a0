import type { Session } from '#shared/accounts/session-calls.ts'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { call, type Answered, type When } from '../../sync/index.ts'
import { tellDeviceName } from '../../device/device-identity.ts'
import { useAccountAnswer, type AccountQuestion } from '../../device/session/account-answers.ts'

/*
 * Where a person is signed in is right only at the moment the server says so, and ending what is no more would be refused: it
 * is kept nowhere.
 */
const when: When<unknown> = { reachable: 'after failure' }

const sessions: AccountQuestion<readonly Session[]> = {
  async call(signal) {
    // A name the server does not know yet goes first, so that the list has it.
    await tellDeviceName()
    return await call('listSessions', { signal })
  },
}

/** Where the person is signed in. */
export const useSessions = (): Answered<readonly Session[]> => useAccountAnswer(sessions, when)

const alertedDevices: AccountQuestion<readonly AlertedDevice[]> = {
  call: (signal) => call('listAlertedDevices', { signal }),
}

/** The person's devices with alerts. */
export const useAlertedDevices = (): Answered<readonly AlertedDevice[]> => useAccountAnswer(alertedDevices, when)

const mailPreference: AccountQuestion<boolean> = {
  call: async (signal) => (await call('getMailPreferences', { signal })).newApplications,
}

/** Whether the person wants mails about new applications. */
export const useMailPreference = (): Answered<boolean> => useAccountAnswer(mailPreference, when)
