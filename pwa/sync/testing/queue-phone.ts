import type { Decision } from '#shared/applications/decide.ts'
import { stateOf } from '#shared/record/basis.ts'
import { askToCancel } from '../drain/cancel.ts'
import { createOutbox } from '../queue/enqueue.ts'
import { decideApplication, type DecideApplication } from '../queue/mutations/decide-application.ts'
import { deleteEvent } from '../queue/mutations/delete-event.ts'
import { updateEvent } from '../queue/mutations/edit-event.ts'
import { openOutboxDatabase } from '../queue/store/outbox-db.ts'
import { createReplayer } from '../drain/replay.ts'
import { settle, type ReplicaView } from '../drain/settle.ts'
import type { Transport, TransportRequest } from '../drain/transport.ts'
import { createContexts } from './contexts.ts'
import { manualTime } from './manual-time.ts'
import { ModelServer } from './model-server.ts'
import { directTransport } from './model-transport.ts'
import { eventFields, oliviaId } from './people.ts'
import { restore, snapshotOf } from './simulation/model-history.ts'
import type { WakeReason } from '../drain/wake.ts'

let phones = 0

/** A phone with its queue in IndexedDB, before a server with event 1 and Bea's, Ben's and Bo's applications 7, 8 and 9. */
export function phone({ autoWake = true } = {}) {
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
  const contexts = createContexts(time.timers)
  /** Another page of this phone, or its worker. */
  const openContext = (isWorker = false) => {
    const context = contexts.open(() => !isWorker)
    const { leader, timers } = context
    const replayer = createReplayer({ store, transport, leader, timers, now: time.now, random: () => 0.5, isWorker })
    return { context, replayer }
  }
  const open = (kind: 'page' | 'worker' = 'page') => openContext(kind === 'worker').replayer
  const replayer = open()
  const outbox = createOutbox({
    store,
    now: time.now,
    newKey,
    wake: (reason) => (autoWake ? void replayer.wake(reason) : undefined),
    cancel: (account, id) => askToCancel(transport, account, id, new AbortController().signal),
  })
  /** Wakes the page, and lets time pass. */
  const wake = async (reason: WakeReason, milliseconds = 100) => {
    void replayer.wake(reason)
    await time.pass(milliseconds)
  }
  /** The replica has come so far, in the server's history: how many changes it lets go. */
  const settleAt = (view: Omit<ReplicaView, 'epoch'>, now = time.now()) =>
    settle(
      { store, wake: replayer.wake },
      oliviaId,
      { epoch: String(server.epoch), hasPassed: () => true, ...view },
      now,
    )
  /** Remembers the server as it is. What is returned lets its database go back to that, which begins an epoch. */
  const keepServer = () => {
    const kept = snapshotOf(server)
    return () => restore(server, kept, true)
  }
  /** Takes a document from the server. What is returned has another device bring it back. */
  const takeAway = (place: 'events/1' | 'applications/7') => {
    const row = server.log.get(place)!
    server.log.delete(place)
    return () => server.log.set(place, row)
  }
  /** Application 7 is decided on another device. */
  const decideElsewhere = (status: Decision = 'rejected') =>
    server.write('applications', 7, { eventId: 1, status, basis: stateOf('theirs'), decisionNumber: 1 })
  const enqueueApproval = (id: number, basis: string | null = null) =>
    outbox.enqueue(decideApplication, approve(id, basis), olivia)
  const enqueueEdit = (name = eventFields.name, basis: string | null = null) =>
    outbox.enqueue(updateEvent, { id: 1, fields: { ...eventFields, name }, basis }, olivia)
  const enqueueDeletion = () => outbox.enqueue(deleteEvent, { id: 1, name: eventFields.name, basis: null }, olivia)
  const pending = () => outbox.pendingFor(oliviaId)
  const states = async (userId: number | null = oliviaId) => (await outbox.pendingFor(userId)).map(({ state }) => state)
  return {
    server,
    time,
    network,
    direct,
    database,
    store,
    open,
    openContext,
    replayer,
    outbox,
    wake,
    settleAt,
    keepServer,
    takeAway,
    decideElsewhere,
    enqueueApproval,
    enqueueEdit,
    enqueueDeletion,
    pending,
    states,
  }
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
/** Nothing ever answers. */
export const silentNetwork: Transport = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
/** Every request fails at once. */
export const noNetwork: Transport = () => Promise.reject(new TypeError('Failed to fetch'))
