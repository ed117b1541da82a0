import { deleteSetting, readSetting, writeSetting } from '../device-db.ts'

export interface ToldApplication {
  readonly token: string
  readonly endpoint: string
  /** The server was last told at this time (ISO). */
  readonly toldAt: string
}

const setting = 'told-applications'

/** The key is the application's id. The token stays here: a push message carries the id alone. */
export type ToldApplications = Readonly<Record<string, ToldApplication>>

export async function readTold(): Promise<ToldApplications> {
  return (await readSetting<ToldApplications>(setting)) ?? {}
}

export async function keepTold(applicationId: number, told: ToldApplication): Promise<void> {
  await writeSetting(setting, { ...(await readTold()), [applicationId]: told })
}

export async function forgetTold(applicationId: number): Promise<void> {
  const { [String(applicationId)]: _, ...rest } = await readTold()
  await (Object.keys(rest).length > 0 ? writeSetting(setting, rest) : deleteSetting(setting))
}
