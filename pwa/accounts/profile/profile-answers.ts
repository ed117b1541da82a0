import type { Session } from '#shared/accounts/session-calls.ts'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { call } from '../../sync/index.ts'
import { tellDeviceName } from '../../device/device-identity.ts'
import { accountAnswer } from '../../device/session/account-answers.ts'

/* Nothing is kept on the device: sessions and alerts are right only at the moment of the answer. */

export const useSessions = accountAnswer<readonly Session[]>({
  async call(signal) {
    // A device name that the server does not know yet goes first, so that the list has it.
    await tellDeviceName()
    return await call('listSessions', { signal })
  },
})

export const useAlertedDevices = accountAnswer<readonly AlertedDevice[]>({
  call: (signal) => call('listAlertedDevices', { signal }),
})

export const useMailPreference = accountAnswer({
  call: async (signal) => (await call('getMailPreferences', { signal })).newApplications,
})
