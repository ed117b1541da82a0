import type { Checkpoint } from '#shared/api/replication.ts'
import type { ApplicationFields } from '#shared/domain/application.ts'
import type { CustomizationFields, EventFields } from '#shared/domain/event.ts'
import { pullAll, type PageAnswer } from '../../replica/pull.ts'
import { chooseWork } from '../claim.ts'
import type { Entry } from '../entry.ts'
import { applyAsBeacon } from '../mutations/apply-as-beacon.ts'
import { createEvent } from '../mutations/create-event.ts'
import { customizeEvent } from '../mutations/customize-event.ts'
import { decideApplication } from '../mutations/decide-application.ts'
import { deleteEvent } from '../mutations/delete-event.ts'
import { updateEvent } from '../mutations/update-event.ts'
import type { WakeReason } from '../replay.ts'
import { acknowledgedSeqs, settle } from '../settle.ts'
import type { Canary } from './sim-canaries.ts'
import {
  createDevice,
  deliver,
  emptyReplica,
  kill,
  startContext,
  thaw,
  type DeviceRules,
  type SimContext,
  type SimDevice,
} from './sim-device.ts'
import { checkEnd, createLedger } from './sim-ledger.ts'
import { fairWeather, roadFor, type NetworkRules, type Weather } from './sim-network.ts'
import { appliedVersion, epochOf, screenOf, type Screen } from './sim-screen.ts'
import { createWorld } from './sim-world.ts'
import { ModelServer, problem, type ModelDocument } from './model-server.ts'

export interface HistoryResult {
  /** Broken promises, in the order they broke; empty for a good history. */
  readonly problems: readonly string[]
  /** What happened and how often: a run that met nothing proves nothing. */
  readonly met: Readonly<Record<string, number>>
  readonly steps: number
}

const olivia = 1
const otto = 2
const activeMs = 30_000
const healMs = 240_000
const patienceMs = 5000

type Row = ModelDocument & { _deleted?: true }

/**
 * Lives one history: two phones of Olivia's and a volunteer's, a server, and whatever one seed makes happen to them.
 * @param trace is told what every step left behind, to understand a broken promise
 */
export async function runHistory(
  seed: number,
  canary: Canary = {},
  trace?: (line: string) => void,
): Promise<HistoryResult> {
  const world = createWorld(seed)
  const begin = world.now()
  const server = canary.server?.(new ModelServer()) ?? new ModelServer()
  const met: Record<string, number> = {}
  const problems: string[] = []
  const meet = (what: string) => {
    trace?.(`- ${what}`)
    met[what] = (met[what] ?? 0) + 1
  }
  const blame = (what: string) => {
    if (problems.length < 20) problems.push(what)
  }

  server.write('events', 1, { name: 'Founders Mixer', edition: 1, customQuestions: [] })
  for (const id of [7, 8])
    server.write('applications', id, { eventId: 1, status: 'pending', decisionNumber: 0, firstName: `A${id}` })
  server.write('events', 2, { name: 'Book Night', edition: 1, customQuestions: [] })
  server.write('applications', 9, { eventId: 2, status: 'approved', decisionNumber: 1, firstName: 'A9' })

  const devices = ['ipad', 'phone', 'guest'].map((name) =>
    createDevice(name, world.below(3) === 0 ? world.below(7_200_000) - 3_600_000 : 0, world.chance(0.25) ? 3000 : 0),
  )
  const [ipad, phone, guest] = devices as [SimDevice, SimDevice, SimDevice]
  guest.session = null
  const organizers = [ipad, phone]
  const ledgers = new Map(devices.map((device) => [device, createLedger(device, server)]))
  const screens = new Map<SimDevice, Screen>(
    organizers.map((device) => [device, screenOf(device, olivia, canary.fold)]),
  )
  const freezing = new Set<SimDevice>()
  const deadlines = new Map<SimDevice, { at: number; context: SimContext }>()

  const scale = world.random()
  const bad = (most: number) => (world.chance(0.4) ? 0 : most * scale * world.random())
  const storm: Weather = {
    dropBefore: bad(0.4),
    dropAfter: bad(0.4),
    duplicate: bad(0.4),
    truncate: bad(0.5),
    portal: bad(0.3),
    hang: bad(0.2),
    wholeIllness: bad(0.3),
    entryIllness: bad(0.3),
    serverCrash: bad(0.1),
    slowestMs: world.pick([20, 200, 3000]) ?? 20,
  }
  const network: NetworkRules = {
    world,
    server,
    weather: storm,
    met: meet,
    onRequest(device, context, account, entries) {
      deadlines.delete(device)
      meet('request')
      if (freezing.delete(device)) {
        // Frozen with a request on its way: it keeps the lock, and hears the answer when it is woken.
        meet('freeze')
        context.isFrozen = true
        world.after(world.random() * 70_000, () => thaw(context))
      }
      const ledger = ledgers.get(device)!
      for (const { key } of entries) ledger.sent(key)
      if (account !== null && device.disk.account !== undefined && device.disk.account !== account)
        blame(`P10 ${device.name}: changes of ${account} left under ${device.disk.account}`)
      const others = device.contexts.filter(
        (other) => other !== context && other.sending > 0 && !other.isFrozen && !context.isFrozen,
      )
      if (others.length > 0 && device.lock?.holder !== context) blame(`P3 ${device.name}: two drainers at once`)
    },
    onResponse() {},
  }
  let hasHealed = false
  const rules: DeviceRules = {
    world,
    variant: canary,
    get crashAtStorage() {
      return hasHealed ? 0 : storageCrash
    },
    transportFor: (device, context) => roadFor(device, context, network),
    onCrash: () => meet('crash'),
    onRobbery: () => meet('robbery'),
  }
  const storageCrash = world.chance(0.5) ? 0.02 : 0

  const pageOf = (device: SimDevice) => device.contexts.find((context) => context.name === 'page')
  const start = (device: SimDevice, name: string) => {
    const context = startContext(device, name, rules)
    void context.replayer.wake('page-start')
    return context
  }
  const wake = (device: SimDevice, reason: WakeReason) => {
    const context =
      reason === 'sync' || reason === 'push' || reason === 'activate'
        ? device.contexts.find(({ name }) => name === 'worker')
        : pageOf(device)
    if (context) deliver(context, () => void context.replayer.wake(reason))
    return context
  }

  // --- what the server said ---
  function fetchPage(device: SimDevice, context: SimContext, collection: 'events' | 'applications') {
    return (checkpoint: Checkpoint | undefined, limit: number) =>
      new Promise<PageAnswer>((resolve, reject) => {
        const { weather } = network
        const wait = 5 + world.random() * weather.slowestMs
        const after = (run: () => void) => world.after(wait, () => deliver(context, run))
        if (!device.isOnline || world.chance(weather.dropBefore))
          return void after(() => reject(new TypeError('Failed to fetch')))
        if (world.chance(weather.portal))
          return void after(() =>
            resolve({
              status: 200,
              isOurs: false,
              body: { documents: [], checkpoint: { epoch: '1', version: 99 }, head: 99 },
            }),
          )
        if (device.session !== olivia)
          return void after(() => resolve({ status: 401, isOurs: true, body: problem('session_expired') }))
        const epoch = String(server.epoch)
        if (checkpoint && (checkpoint.epoch !== epoch || checkpoint.version > server.version)) {
          return void after(() => resolve({ status: 410, isOurs: true, body: problem('reset') }))
        }
        const { rows, head } = (canary.pull ?? server.pull.bind(server))(
          collection,
          checkpoint?.version ?? 0,
          limit,
          server,
        )
        const last = rows.at(-1)
        const documents = rows.map((row) => row.document ?? { key: row.key, version: row.version, _deleted: true })
        const version = rows.length === limit && last ? last.version : head
        after(() => resolve({ status: 200, isOurs: true, body: { documents, checkpoint: { epoch, version }, head } }))
      })
  }

  async function pullOne(
    device: SimDevice,
    context: SimContext,
    collection: 'events' | 'applications',
  ): Promise<'done' | 'reset' | 'failed'> {
    const outcome = await pullAll<Row>({
      fetchPage: fetchPage(device, context, collection),
      parsePage: (body) => body as { documents: Row[]; checkpoint: Checkpoint; head: number },
      checkpoint: device.replica.checkpoints[collection],
      limit: 2 + world.below(3),
    })
    if (outcome.kind === 'reset') return 'reset'
    if (outcome.kind !== 'pulled') return 'failed'
    const { replica } = device
    // The copy's name carries its epoch: documents of another one never get into it.
    if (replica.epoch !== undefined && replica.epoch !== outcome.checkpoint.epoch) return 'reset'
    const writeDocuments = () => {
      replica.epoch = outcome.checkpoint.epoch
      for (const document of outcome.documents as Row[]) {
        const known = replica[collection].get(document.key)
        if (known && known.version > document.version)
          blame(`P7 ${device.name}: ${collection} ${document.key} went back to version ${document.version}`)
        if (document._deleted) replica[collection].delete(document.key)
        else replica[collection].set(document.key, document)
      }
      replica.changes++
    }
    const writeCheckpoint = () => {
      replica.checkpoints[collection] = outcome.checkpoint
      replica.heads[collection] = outcome.head
      replica.changes++
    }
    const steps = canary.checkpointFirst ? [writeCheckpoint, writeDocuments] : [writeDocuments, writeCheckpoint]
    for (const step of steps) {
      step()
      // A page may die between the two writes.
      await new Promise<void>((resolve) => {
        if (!hasHealed && world.chance(0.03)) {
          meet('crash')
          kill(device, context)
        } else world.after(1, () => deliver(context, resolve))
      })
    }
    return 'done'
  }

  async function sync(device: SimDevice): Promise<void> {
    const context = pageOf(device)
    if (!context || context.isFrozen || context.isPulling || device.disk.account === otto) return
    context.isPulling = true
    try {
      for (let attempt = 0; attempt < 2; attempt++) {
        const seqs = await acknowledgedSeqs(context.store, olivia)
        const isReset = await (async () => {
          for (const collection of ['events', 'applications'] as const) {
            const end = await pullOne(device, context, collection)
            if (end === 'reset') return true
            if (end === 'failed') return undefined
          }
          return false
        })()
        if (isReset === undefined) return
        if (isReset) {
          meet('reset')
          device.replica = emptyReplica(device.replica.changes + 1)
          screens.get(device)?.forget()
          continue
        }
        device.replica.isLoaded = true
        const { replica } = device
        const view = {
          epoch: epochOf(device),
          appliedVersion: appliedVersion(device),
          versionOf: (collection: 'events' | 'applications', key: string) => replica[collection].get(key)?.version,
          pulledSince: seqs,
        }
        const removed = await settle(
          { store: context.store, wake: (reason) => canary.sleepsAfterReset || context.replayer.wake(reason) },
          olivia,
          view,
        )
        for (let count = 0; count < removed; count++) meet('settled')
        return
      }
    } catch {
      meet('storage failed')
    } finally {
      context.isPulling = false
    }
  }

  // --- what people do ---
  let names = 0
  const act = (device: SimDevice, context: SimContext) => {
    const ledger = ledgers.get(device)!
    const folded = screens.get(device)!.folded()
    const { outbox } = context
    const save = (queued: Promise<Entry>) => {
      queued.then(
        (entry) => {
          meet('saved')
          ledger.saved(entry)
        },
        () => meet('not saved'),
      )
    }
    const events = [...folded.events.values()]
    const applications = [...folded.applications.values()]
    const pending = device.disk.entries.filter((entry) => entry.userId === olivia)
    const text = () => `Name ${++names}`
    const kind = world.below(20)
    if (kind < 8) {
      const row = world.pick(applications)
      if (!row) return
      const { application } = row
      const status =
        application.status === 'approved'
          ? 'rejected'
          : application.status === 'rejected'
            ? 'approved'
            : world.chance(0.7)
              ? 'approved'
              : 'rejected'
      const args = {
        applicationId: application.id,
        eventId: application.eventId,
        name: application.firstName,
        status,
        from: application.status,
        expectedDecisionNumber: application.decisionNumber,
      } as const
      save(outbox.enqueue(decideApplication, args, { userId: olivia }))
      // People change their minds, faster than the screen.
      const again = { ...args, status: status === 'approved' ? 'rejected' : 'approved', from: status } as const
      if (world.chance(0.3))
        world.after(world.random() * 3000, () =>
          deliver(context, () => save(outbox.enqueue(decideApplication, again, { userId: olivia }))),
        )
    } else if (kind < 11) {
      const row = world.pick(events)
      if (row)
        save(
          outbox.enqueue(
            updateEvent,
            { id: row.event.id, fields: { name: text() } as EventFields, expectedEdition: row.event.edition },
            { userId: olivia },
          ),
        )
    } else if (kind < 12) {
      const row = world.pick(events)
      const fields = { customQuestions: [text()] } as Partial<CustomizationFields> as CustomizationFields
      if (row)
        save(
          outbox.enqueue(
            customizeEvent,
            { id: row.event.id, name: row.event.name, fields, expectedEdition: row.event.edition },
            { userId: olivia },
          ),
        )
    } else if (kind < 13) {
      const id = (device === ipad ? 1000 : 2000) + ++names
      const fields = { name: text() } as EventFields
      save(
        outbox.enqueue(
          createEvent,
          { id, organizerId: olivia, fields, timeZone: 'UTC', createdAt: '' },
          { userId: olivia },
        ),
      )
    } else if (kind < 14) {
      const row = world.pick(events)
      if (row && world.chance(0.5))
        save(outbox.enqueue(deleteEvent, { id: row.event.id, name: row.event.name }, { userId: olivia }))
    } else if (kind < 16) {
      const entry = world.pick(pending)
      if (!entry) return
      const settleFate = ledger.uncertain(entry.seq)
      outbox.undo(entry.seq).then(
        (result) => {
          meet(`undo: ${result}`)
          settleFate(result === 'undone' ? 'withdrawn' : 'as before')
        },
        () => {},
      )
    } else if (kind < 18) {
      const entry = world.pick(pending)
      if (!entry) return
      const settleFate = ledger.uncertain(entry.seq)
      outbox.discard(entry.seq).then(
        (result) => {
          meet(`discard: ${result}`)
          if (result === 'discarded' || result === 'cancelled') settleFate('withdrawn')
          else if (result === 'already-happened') settleFate('pending')
        },
        () => {},
      )
    } else {
      const entry = world.pick(pending.filter(({ state }) => state === 'parked'))
      if (!entry) return
      if (entry.mutation === 'update-event' && world.chance(0.5)) {
        const args = entry.args as { id: number; expectedEdition: number }
        const edition = folded.events.get(args.id)?.event.edition ?? args.expectedEdition
        outbox
          .editAndResend(entry.seq, updateEvent, {
            id: args.id,
            fields: { name: text() } as EventFields,
            expectedEdition: edition,
          })
          .then(
            (result) => meet(`edit: ${result}`),
            () => {},
          )
      } else
        outbox.retry(entry.seq).then(
          (result) => meet(`retry: ${result}`),
          () => {},
        )
    }
  }

  /** A person looks through what needs attention and does something about most of it. */
  const tidyUp = (device: SimDevice) => {
    const context = pageOf(device)
    if (!context) return
    for (const { seq, state } of device.disk.entries) {
      if (state !== 'parked' || world.chance(0.3)) continue
      if (world.chance(0.5)) {
        context.outbox.retry(seq).then(
          (result) => meet(`retry: ${result}`),
          () => {},
        )
        continue
      }
      const settleFate = ledgers.get(device)!.uncertain(seq)
      context.outbox.discard(seq).then(
        (result) => {
          meet(`discard: ${result}`)
          if (result === 'discarded') settleFate('withdrawn')
        },
        () => {},
      )
    }
  }

  const applyAsGuest = (device: SimDevice) => {
    const context = pageOf(device)
    if (!context || context.isFrozen) return
    const ledger = ledgers.get(device)!
    const eventId = world.pick([1, 2]) ?? 1
    const email = world.chance(0.2) ? 'bea@example.com' : `guest${++names}@example.com`
    const fields = { firstName: 'Bea', lastName: 'Brook', email } as ApplicationFields
    context.outbox.enqueue(applyAsBeacon, { eventId, eventName: 'Founders Mixer', fields }, { userId: null }).then(
      (entry) => {
        meet('saved')
        ledger.saved(entry)
      },
      () => meet('not saved'),
    )
  }

  // --- what happens to them ---
  const reconnect = (device: SimDevice) => {
    device.isOnline = true
    meet('reconnect')
    const reason = world.pick<WakeReason>(['online', 'visible', 'stream-opened', 'page-start', 'sync', 'push'])!
    const context = wake(device, reason)
    expectSend(device, context)
  }
  /** P5: with a trigger, a network and something to send, a request leaves within 5 s. */
  const expectSend = (device: SimDevice, context: SimContext | undefined) => {
    if (!context || context.isFrozen || device.storageFails || device.contexts.some(({ isFrozen }) => isFrozen)) return
    const now = world.now() + device.clockOffset
    const terms = {
      now,
      account: device.disk.account,
      triggered: true,
      resumes: false,
      limit: 100,
      maximumCharacters: 30_000,
    }
    if (chooseWork(device.disk.entries, terms).work?.kind === 'send')
      deadlines.set(device, { at: world.now() + patienceMs, context })
  }
  const checkDeadlines = () => {
    for (const [device, { at, context }] of deadlines) {
      const isOff =
        !context.isAlive ||
        context.isFrozen ||
        !device.isOnline ||
        device.storageFails ||
        device.contexts.some(({ isFrozen }) => isFrozen)
      if (isOff) deadlines.delete(device)
      else if (world.now() > at) {
        const terms = {
          now: world.now() + device.clockOffset,
          account: device.disk.account,
          triggered: true,
          resumes: false,
          limit: 100,
          maximumCharacters: 30_000,
        }
        const isSending = device.contexts.some(({ sending }) => sending > 0)
        if (!isSending && chooseWork(device.disk.entries, terms).work?.kind === 'send')
          blame(`P5 ${device.name}: nothing left within 5 s of the network's return`)
        deadlines.delete(device)
      }
    }
  }
  const signIn = (device: SimDevice, userId: number) => {
    const context = pageOf(device)
    if (!context || context.isFrozen) return
    device.session = userId
    context.outbox.signedIn(userId).then(
      () => meet('sign-in'),
      () => {},
    )
  }
  const misfortune = () => {
    if (hasHealed) return
    const device = world.pick(devices)!
    const context = world.pick(device.contexts)
    switch (world.below(12)) {
      case 0:
      case 1:
        device.isOnline = false
        device.hangsOffline = world.chance(0.4)
        world.after(world.random() * 20_000, () => hasHealed || reconnect(device))
        break
      case 2:
      case 3:
        if (!context) break
        meet('crash')
        kill(device, context)
        world.after(
          world.random() * 6000,
          () => hasHealed || device.contexts.some(({ name }) => name === context.name) || start(device, context.name),
        )
        break
      case 4:
        if (!context) break
        freezing.add(device)
        break
      case 5:
        meet('clock jump')
        device.clockOffset += world.below(172_800_000) - 86_400_000
        break
      case 6:
        device.storageFails = true
        world.after(world.random() * 4000, () => (device.storageFails = false))
        break
      case 7:
        if (device === guest || device.session === null) break
        device.session = null
        meet('session ended')
        world.after(
          world.random() * (world.chance(0.5) ? 2000 : 15_000),
          () => hasHealed || signIn(device, world.chance(0.3) ? otto : olivia),
        )
        world.after(world.random() * 1000, () => hasHealed || wake(device, 'visible'))
        break
      case 8:
        if (world.chance(0.3)) server.renumber()
        break
      case 9:
        server.eventLimit = world.chance(0.5) ? 0 : Infinity
        break
      default:
        if (context)
          wake(
            device,
            world.pick<WakeReason>(['online', 'visible', 'stream-opened', 'timer', 'sync', 'push', 'activate'])!,
          )
    }
  }

  /** Looks at everything after each event. */
  let traced = ''
  const check = () => {
    if (trace) {
      const now = describe(devices, server)
      if (now !== traced) trace(`${((world.now() - begin) / 1000).toFixed(2)} ${now}`)
      traced = now
    }
    for (const device of devices) for (const found of ledgers.get(device)!.check()) blame(found)
    for (const device of organizers) {
      if (!device.replica.isLoaded) continue
      const ledger = ledgers.get(device)!
      for (const found of screens.get(device)!.look(ledger.isWithdrawn)) blame(found)
    }
    checkDeadlines()
  }

  // --- the history ---
  for (const device of devices) {
    start(device, 'page')
    if (device !== guest && world.chance(0.5)) start(device, 'worker')
  }
  for (const device of organizers) {
    signIn(device, olivia)
    world.after(10 + world.below(50), () => void sync(device))
  }
  const actions = 4 + world.below(7)
  for (let count = 0; count < actions; count++) {
    world.after(200 + world.random() * activeMs, () => {
      const device = world.pick(organizers)!
      const context = pageOf(device)
      if (world.chance(0.12)) return applyAsGuest(world.chance(0.7) ? guest : device)
      if (context && !context.isFrozen && device.disk.account === olivia) act(device, context)
    })
  }
  const misfortunes = world.below(8)
  for (let count = 0; count < misfortunes; count++) world.after(200 + world.random() * activeMs, misfortune)
  const pulls = 2 + world.below(5)
  for (let count = 0; count < pulls; count++)
    world.after(200 + world.random() * activeMs, () => void sync(world.pick(organizers)!))

  let steps = 0
  while (problems.length === 0 && (await world.step(begin + activeMs))) {
    steps++
    check()
  }
  hasHealed = true
  network.weather = fairWeather
  server.eventLimit = Infinity
  for (const device of devices) {
    device.isOnline = true
    device.storageFails = false
    freezing.delete(device)
    for (const context of device.contexts) thaw(context)
    if (!pageOf(device)) start(device, 'page')
  }
  for (const device of organizers) {
    signIn(device, olivia)
    world.after(3000, () => tidyUp(device))
    const syncAgain = () => {
      void sync(device)
      world.after(12_000, syncAgain)
    }
    world.after(1000, syncAgain)
  }
  const end = world.now() + healMs
  while (problems.length === 0 && (await world.step(end))) {
    steps++
    check()
    if (steps % 2 === 0 && world.now() > begin + activeMs + 4000 && isQuiet(devices, server)) break
  }
  if (problems.length === 0) {
    for (const device of devices)
      for (const found of checkEnd(
        device,
        ledgers.get(device)!,
        server,
        device === guest ? undefined : screens.get(device),
      ))
        blame(found)
  }
  for (const device of devices) for (const context of device.contexts) context.replayer.stop()
  for (const ledger of ledgers.values()) ledger.count(meet)
  return { problems, met, steps }
}

/** One line for the whole world. */
function describe(devices: readonly SimDevice[], server: ModelServer): string {
  const phones = devices.map((device) => {
    const contexts = device.contexts
      .map(({ name, isFrozen, sending }) => `${name}${isFrozen ? ' frozen' : ''}${sending > 0 ? ' sending' : ''}`)
      .join(', ')
    const entries = device.disk.entries.map((entry) => {
      const marks = `${entry.discarding ? ' discarding' : ''}${entry.acknowledged ? ` v${entry.acknowledged.version}` : ''}${entry.refusal ? ` ${entry.refusal.problem.code}` : ''}`
      return `${entry.seq} ${entry.key} ${entry.lane} ${entry.mutation} ${JSON.stringify(entry.args)} ${entry.state} x${entry.attempts}${marks}`
    })
    const { isLoaded, heads } = device.replica
    return `\n  ${device.name} [${contexts}]${device.isOnline ? '' : ' offline'} account ${device.disk.account} session ${device.session} replica ${isLoaded ? `${heads.events}/${heads.applications}` : 'empty'}${entries.map((entry) => `\n    ${entry}`).join('')}`
  })
  const rows = [...server.log.values()].map(
    (row) =>
      `${row.key}@${row.version}:${row.document ? `${row.document['edition'] ?? row.document['decisionNumber']}${row.document['status'] ?? row.document['name']}` : 'gone'}`,
  )
  return `server ${server.epoch}/${server.version} ${rows.join(' ')}${phones.join('')}`
}

/** Nothing waits any more and every copy is complete. */
function isQuiet(devices: readonly SimDevice[], server: ModelServer): boolean {
  return devices.every(
    (device) =>
      device.disk.entries.every((entry) => entry.state === 'parked' || entry.state === 'blocked') &&
      !device.disk.entries.some((entry) => entry.discarding) &&
      (device.name === 'guest' ||
        (epochOf(device) === String(server.epoch) && appliedVersion(device) === server.version)),
  )
}
