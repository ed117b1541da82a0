import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { call } from '../../api/call.ts'
import { useServerAnswer, type ServerAnswer } from './use-server-answer.ts'

/** The person's devices with alerts. */
export const useAlertedDevices = (): ServerAnswer<readonly AlertedDevice[]> => useServerAnswer(load)

const load = async (): Promise<readonly AlertedDevice[]> => await call('listAlertedDevices')
