import { askToCancel } from '../drain/cancel.ts'
import { createOutbox } from '../queue/enqueue.ts'
import type { DecideApplication } from '../queue/mutations/decide-application.ts'
import { openOutboxDatabase } from '../queue/store/outbox-db.ts'
import { createReplayer } from '../drain/replay.ts'
import type { Transport, TransportRequest } from '../drain/transport.ts'
import { processLocks } from './lock.ts'
import { manualTime } from './manual-time.ts'
import { ModelServer } from './model-server.ts'
import { directTransport } from './model-transport.ts'
import { eventFields, oliviaId } from './people.ts'

let phones = 0

/** A phone with its queue in IndexedDB, before a server with event 1 and Bea's, Ben's and Bo's applications 7, 8 and 9. */
export function phone({ autoWake = true, locks = processLocks() } = {}) {
  const server = new ModelServer()
  server.write('events', 1, { ...eventFields, basis: null, edition: 1 })
  for (const id of [7, 8, 9])
    server.write('applications', id, { eventId: 1, status: 'pending', basis: null, decisionNumber: 0 })
  const time = manualTime()
  const network: { session: number | null; transport: Transport | undefined; requests: TransportRequest[] } = {
    session: oliviaId,
    transport: undefined,
    requests: [],
  }
  const direct = directTransport(server, () => network.session)
  const transport: Transport = (request) => {
    network.requests.push(request)
    return (network.transport ?? direct)(request)
  }
  const database = openOutboxDatabase(`queue-phone-${++phones}`)
  const { store } = database
  let key = 0
  const newKey = () => `00000000-0000-4000-8000-${String(++key).padStart(12, '0')}`
  const open = (owner: string, timers = time.timers) =>
    createReplayer({ store, transport, locks, timers, now: time.now, random: () => 0.5, owner })
  const replayer = open('page')
  const outbox = createOutbox({
    store,
    now: time.now,
    newKey,
    wake: (reason) => (autoWake ? void replayer.wake(reason) : undefined),
    cancel: (account, id) => askToCancel(transport, account, id, new AbortController().signal),
  })
  const states = async (userId: number | null = oliviaId) => (await outbox.pendingFor(userId)).map(({ state }) => state)
  return { server, time, network, direct, database, store, open, replayer, outbox, states }
}

/** What approves an application that was decided on by whatever the basis names. */
export const approve = (applicationId: number, basis: string | null = null): DecideApplication => ({
  applicationId,
  eventId: 1,
  name: 'Bea Brook',
  status: 'approved',
  from: 'pending',
  basis,
})
export const olivia = { userId: oliviaId }
/** Every request fails at once. */
export const noNetwork: Transport = () => Promise.reject(new TypeError('Failed to fetch'))
