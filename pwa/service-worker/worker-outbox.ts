import { openBrowserOutbox } from '../outbox/store/browser-outbox.ts'
import { guessDeviceName } from '../outbox/device-name.ts'
import { openNativeOutbox } from '../outbox/store/native-store.ts'

/** The one outbox of this worker: the pages' queue, without Dexie. */
export const {
  outbox,
  replayer,
  store: outboxStore,
} = openBrowserOutbox(openNativeOutbox(), { deviceName: guessDeviceName(navigator.userAgent) })
