import { deviceDb } from '../device-tables.ts'
import { startedBefore } from '../kept-here.ts'
import {
  carryDevice,
  putDown,
  beginAnew,
  holdsNothing as queueHoldsNothing,
  outboxDatabase,
  thisDevice,
  withWritesPaused,
} from '../../sync/index.ts'

const workerPatienceMs = 1000

/** A setting that may be lost. */
const isSpared = (name: string) => name === 'session/logout'

/**
 * Tells the server about a sign-out, and lets its answer empty the storage of this address if this device holds nothing for
 * anyone: no change, receipt, draft or key to an own application, and no other page that could be keeping some. What is
 * deleted lies on the disk until then. What this browser was told to look like is put back.
 */
export async function tellAndEmpty(tell: (clearsStorage: boolean) => Promise<void>): Promise<void> {
  const told = await withWritesPaused(async () => {
    if (!(await isOnlyPage()) || !(await holdsNothing())) return false
    const device = await thisDevice()
    const kept = [localStorage, sessionStorage].map((storage) => ({ storage, values: Object.entries(storage) }))
    carryDevice(device)
    try {
      await tell(true)
    } finally {
      // Without an answer it is unknown whether the storage was emptied; writing the same values again is harmless.
      const putBack = (isWanted: (name: string) => boolean) => {
        for (const { storage, values } of kept)
          for (const [name, value] of values) if (isWanted(name)) storage.setItem(name, String(value))
      }
      putBack((name) => name !== startedBefore)
      // This page goes on under the number it has; a start that finds no sentinel would speak of lost data.
      await beginAnew(outboxDatabase, device)
      putDown()
      // Only now: a page that is left in this moment would find a device that was here before and has lost everything.
      putBack((name) => name === startedBefore)
    }
    return true
  })
  if (!told) await tell(false)
}

/** Asked of the worker: it sees every page of this address, also those that sleep. */
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
  const settings = await deviceDb.settings.toCollection().primaryKeys()
  if (!settings.every(isSpared)) return false
  return (await deviceDb.drafts.count()) === 0 && (await queueHoldsNothing(outboxDatabase))
}
