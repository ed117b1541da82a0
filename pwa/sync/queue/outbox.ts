import type { Outbox } from './enqueue.ts'
import type { OutboxStore } from './store/outbox-store.ts'

const load = () => import('./store/opened-outbox.ts')

type Queue = Awaited<ReturnType<typeof load>>

let fetched: Queue | undefined

/** A first paint must not wait for the queue's code. */
export const fetchQueue = async (): Promise<Queue> => (fetched ??= await load())

type Method = (...args: never[]) => Promise<unknown>

function late<T extends object, K extends keyof T>(part: (module: Queue) => T, name: K): T[K] {
  const method: Method = async (...args) => (part(await fetchQueue())[name] as Method)(...args)
  return method as T[K]
}

const ofOutbox = <K extends keyof Outbox>(name: K) => late<Outbox, K>((module) => module.outbox, name)
const ofStore = <K extends keyof OutboxStore>(name: K) => late<OutboxStore, K>((module) => module.outboxStore, name)

export const outbox: Outbox = {
  enqueue: ofOutbox('enqueue'),
  undo: ofOutbox('undo'),
  retry: ofOutbox('retry'),
  giveOtherId: ofOutbox('giveOtherId'),
  discard: ofOutbox('discard'),
  putBack: ofOutbox('putBack'),
  editAndResend: ofOutbox('editAndResend'),
  passOn: ofOutbox('passOn'),
  pendingFor: ofOutbox('pendingFor'),
  count: ofOutbox('count'),
  signedIn: ofOutbox('signedIn'),
  signedOut: ofOutbox('signedOut'),
}

export const outboxStore: OutboxStore = {
  change: ofStore('change'),
  entriesOf: ofStore('entriesOf'),
  receipts: ofStore('receipts'),
  settled: ofStore('settled'),
}
