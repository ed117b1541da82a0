import {
  beginAnew,
  call,
  holdsNothing as queueHoldsNothing,
  outboxDatabase,
  Refused,
  singleFlight,
  thisDevice,
  withWritesPaused,
} from '../../sync/index.ts'
import { deleteSetting, readSetting, writeSetting } from '../device-db.ts'
import { startedBefore } from '../kept-here.ts'

const setting = 'session/logout'
/** Undefined until the disk was asked. */
let isPending: boolean | undefined

/** @throws when the disk does not keep it */
export async function keepPendingLogout(): Promise<void> {
  await writeSetting(setting, true)
  isPending = true
}

/** The server has ended this device's old session. */
export async function clearPendingLogout(): Promise<void> {
  isPending = false
  await deleteSetting(setting)
}

/**
 * Before any other call: the cookie would still speak for the former user. What that cookie sent and arrives later is
 * refused.
 * @throws when the server cannot be reached, or `signal` was aborted before
 */
export async function sendPendingLogout(signal?: AbortSignal): Promise<void> {
  isPending ??= (await readSetting<boolean>(setting)) === true
  if (isPending) await send(signal)
}

const send = singleFlight(async (signal: AbortSignal | undefined): Promise<void> => {
  await logoutAndClearStorage(async (clearsStorage) => {
    try {
      await call('logout', { clearsStorage, ...(signal ? { signal } : {}) })
    } catch (error) {
      // A refused logout has no session left to end.
      if (!(error instanceof Refused)) throw error
    }
  })
  await clearPendingLogout()
})

/**
 * The answer (`Clear-Site-Data`) may empty this address's storage if nothing here is a person's and no other page could
 * be keeping some. Local and session settings are put back.
 */
async function logoutAndClearStorage(tell: (clearsStorage: boolean) => Promise<void>): Promise<void> {
  const told = await withWritesPaused(async () => {
    if (!(await isOnlyPage()) || !(await holdsNothing())) return false
    const device = await thisDevice()
    const kept = [localStorage, sessionStorage].map((storage) => ({ storage, values: Object.entries(storage) }))
    try {
      await tell(true)
    } finally {
      // Without an answer the storage may be whole; writing the same values is harmless. `startedBefore` stays away:
      // beside an empty storage it would speak of lost data.
      for (const { storage, values } of kept)
        for (const [name, value] of values) if (name !== startedBefore) storage.setItem(name, String(value))
      await beginAnew(outboxDatabase, device)
    }
    return true
  })
  if (!told) await tell(false)
}

const workerPatienceMs = 1000

/** The worker also sees pages that sleep. */
async function isOnlyPage(): Promise<boolean> {
  const worker = navigator.serviceWorker.controller
  if (!worker) return false
  return await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const giveUp = setTimeout(() => resolve(false), workerPatienceMs)
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      clearTimeout(giveUp)
      port1.close()
      resolve(data === 1)
    }
    worker.postMessage({ type: 'COUNT_PAGES' }, [port2])
  })
}

async function holdsNothing(): Promise<boolean> {
  const { deviceDb } = await import('../device-tables.ts')
  const settings = await deviceDb.settings.toCollection().primaryKeys()
  if (!settings.every((name) => name === setting)) return false
  return (await deviceDb.drafts.count()) === 0 && (await queueHoldsNothing(outboxDatabase))
}
