import type { Session } from '#shared/accounts/session-calls.ts'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { call, type Answered, type When } from '../../sync/index.ts'
import { tellDeviceName } from '../../device/device-identity.ts'
import { useAccountAnswer, type AccountQuestion } from '../../device/session/account-answers.ts'

/* Nothing is kept on the device: sessions and alerts are right only at the moment of the answer. */
const when: When<unknown> = { reachable: 'after failure' }

const sessions: AccountQuestion<readonly Session[]> = {
  async call(signal) {
    // A device name that the server does not know yet goes first, so that the list has it.
    await tellDeviceName()
    return await call('listSessions', { signal })
  },
}

export const useSessions = (): Answered<readonly Session[]> => useAccountAnswer(sessions, when)

const alertedDevices: AccountQuestion<readonly AlertedDevice[]> = {
  call: (signal) => call('listAlertedDevices', { signal }),
}

export const useAlertedDevices = (): Answered<readonly AlertedDevice[]> => useAccountAnswer(alertedDevices, when)

const mailPreference: AccountQuestion<boolean> = {
  call: async (signal) => (await call('getMailPreferences', { signal })).newApplications,
}

export const useMailPreference = (): Answered<boolean> => useAccountAnswer(mailPreference, when)
