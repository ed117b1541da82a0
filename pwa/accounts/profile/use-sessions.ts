import type { Session } from '#shared/accounts/session-calls.ts'
import { call } from '../../api/call.ts'
import { tellDeviceName } from '../../device/device-name-told.ts'
import { useServerAnswer, type ServerAnswer } from './use-server-answer.ts'

/** Where the person is signed in. */
export const useSessions = (): ServerAnswer<readonly Session[]> => useServerAnswer(load)

/** A name the server does not know yet goes first, so that the list has it. */
async function load(): Promise<readonly Session[]> {
  await tellDeviceName()
  return await call('listSessions')
}
