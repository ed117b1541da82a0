import { call } from '../../api/call.ts'
import { useServerAnswer, type ServerAnswer } from './use-server-answer.ts'

/** Whether the person wants mails about new applications. */
export const useMailPreference = (): ServerAnswer<boolean> => useServerAnswer(load)

const load = async (): Promise<boolean> => (await call('getMailPreferences')).newApplications
