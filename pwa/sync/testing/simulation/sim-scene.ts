import { ModelServer } from '../model-server.ts'
import { contains } from './model-history.ts'
import { createDevice, startContext, type DeviceRules } from './sim-device.ts'
import { createLedger } from './sim-ledger.ts'
import { roadFor } from './sim-network.ts'
import { follow } from './sim-follow.ts'
import { screenOf } from './sim-screen.ts'
import { pokeStreams } from './sim-stream.ts'
import { createWorld } from './sim-world.ts'
import {
  olivia,
  streamFates,
  thaw,
  type Canary,
  type NetworkRules,
  type Scene,
  type SimContext,
  type SimDevice,
  type Weather,
  type World,
} from './sim-stage.ts'

/** Sets the scene as the seed says: two phones of Olivia's, a volunteer's, a server with two events, and a network. */
export function createScene(seed: number, canary: Canary): Scene {
  const world = createWorld(seed)
  const server = canary.server?.(new ModelServer()) ?? new ModelServer()
  fill(server)
  const met: Record<string, number> = {}
  const problems: string[] = []
  const meet = (what: string, times = 1) => {
    if (times === 0) return
    met[what] = (met[what] ?? 0) + times
  }
  const blame = (what: string) => {
    if (problems.length < 20) problems.push(what)
  }

  const devices = ['ipad', 'phone', 'guest'].map((name, index) =>
    createDevice(
      name,
      world.below(3) === 0 ? world.below(7_200_000) - 3_600_000 : 0,
      world.chance(0.25) ? 3000 : 0,
      (seed + index) % 5 !== 0,
    ),
  )
  const [ipad, phone, guest] = devices as [SimDevice, SimDevice, SimDevice]
  guest.session = null
  const organizers = [ipad, phone]
  for (const device of organizers) device.isOldApp = world.chance(0.3)
  const history = {
    wentBack: () => server.restores > 0 || server.epoch > 1,
    contains: (checkpoint: string) => contains(server, checkpoint),
  }
  const ledgers = new Map(devices.map((device) => [device, createLedger(device, server)]))
  const screens = new Map(organizers.map((device) => [device, screenOf(device, olivia, history, canary.fold)]))
  const freezing: Scene['freezing'] = new Set()

  const network: NetworkRules = {
    world,
    server,
    weather: stormOf(world),
    met: meet,
    onRequest(device, context, account, entries) {
      meet('request')
      if (freezing.delete(device)) {
        // Frozen with a request on its way: it keeps the lock, and hears the answer when it is woken. Few workers ever are.
        meet('freeze')
        context.isFrozen = true
        if (context.name === 'page' || world.chance(0.3)) world.after(world.random() * 70_000, () => thaw(context))
      }
      const ledger = ledgers.get(device)!
      for (const { key } of entries) ledger.sent(key)
      if (account !== null && device.disk.account !== undefined && device.disk.account !== account)
        blame(`P10 ${device.name}: changes of ${account} left under ${device.disk.account}`)
      const isAlsoSending = (other: SimContext) => other !== context && other.sending > 0 && !other.isFrozen
      if (!context.isFrozen && device.contexts.some(isAlsoSending)) meet('two drainers')
    },
  }
  const storageCrash = world.chance(0.5) ? 0.02 : 0
  const rules: DeviceRules = {
    world,
    variant: canary,
    get crashAtStorage() {
      return scene.hasHealed ? 0 : storageCrash
    },
    transportFor: (device, context) => roadFor(device, context, network, () => scene.isDown),
    onCrash: () => meet('crash'),
    onRobbery: () => meet('robbery'),
  }
  let numbers = 0
  const scene: Scene = {
    world,
    server,
    canary,
    network,
    devices,
    guest,
    organizers,
    ledgers,
    screens,
    freezing,
    problems,
    met,
    travels: world.chance(0.5),
    streams: new Set(),
    queues: new Map(),
    streamFate: world.pick([...streamFates, 'well', 'well']),
    isDown: false,
    wentBackUnsaid: false,
    hasHealed: false,
    meet,
    blame,
    nextNumber: () => ++numbers,
    start(device, name) {
      const context = startContext(device, name, rules)
      void context.replayer.wake('page-start')
      if (name === 'page' && organizers.includes(device) && device.disk.account === olivia)
        follow(scene, device, context)
      return context
    },
  }
  pokeStreams(scene)
  return scene
}

function fill(server: ModelServer): void {
  server.write('events', 1, { name: 'Founders Mixer', basis: null, edition: 1, customQuestions: [] })
  for (const id of [7, 8])
    server.write('applications', id, {
      eventId: 1,
      status: 'pending',
      basis: null,
      decisionNumber: 0,
      firstName: `A${id}`,
    })
  server.write('events', 2, { name: 'Book Night', basis: null, edition: 1, customQuestions: [] })
  server.write('applications', 9, { eventId: 2, status: 'approved', basis: null, decisionNumber: 1, firstName: 'A9' })
}

function stormOf(world: World): Weather {
  const scale = world.random()
  const bad = (max: number) => (world.chance(0.4) ? 0 : max * scale * world.random())
  return {
    dropBefore: bad(0.4),
    dropAfter: bad(0.4),
    duplicate: bad(0.4),
    truncate: bad(0.5),
    portal: bad(0.3),
    hang: bad(0.2),
    wholeIllness: bad(0.3),
    entryIllness: bad(0.3),
    serverCrash: bad(0.1),
    slowestMs: world.pick([20, 200, 3000]),
  }
}
