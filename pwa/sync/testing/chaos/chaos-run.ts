import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createKnex } from '../../../../sync-server/db/knex-config.ts'
import { clusterFolder, readPostmasterFile } from '../../../../sync-server/db/postgres-cluster.ts'
import { isAlive } from '../../../../sync-server/db/os-process.ts'
import { startFaultProxy } from '../../../../sync-server/testing/fault-proxy.ts'
import { prepareServerProcess, type ServerProcess } from '../../../../sync-server/testing/server-process.ts'
import { createChance, seededRandom } from '../simulation/sim-world.ts'
import { createCrowd } from './crowd.ts'
import { disasters, strike, type Disaster } from './disasters.ts'
import { cleanUp, drained, drainedAgain } from './drain.ts'
import { equalled, versionsOf } from './equality.ts'
import { longWait, reconnect } from './first-send.ts'
import { openFleet } from './fleet.ts'
import { enoughToLose, enoughWithinMs, layAside, putBack } from './going-back.ts'
import { openLedger, type Line } from './ledger.ts'
import { openNetwork } from './network.ts'
import {
  falselyTold,
  isUnchanged,
  inversions,
  logAgainstTables,
  unanswered,
  versionGaps,
  wrongEffects,
  wronglyRefusedAgain,
} from './promises.ts'
import type { OrganizerPhone, Phone } from './phone.ts'
import { makePlan, type Mishap } from './plan.ts'
import type { ChaosReport } from './report.ts'
import { connectionTo, openWitness } from './witness.ts'

/** How likely a call meets a fault, and how long people think between two changes. */
const faultProbability = 0.35
const longestThoughtMs = 24
/** So many changes at the end are made on phones without network: a few on each. */
const lastWithoutNetwork = 40
/** How long people wait before they open the app once more, in milliseconds of this machine. */
const lookAgainMs = 50
/** How far clocks are set off at most, in ms: by less than the longest waiting time of the queue, and by far more. */
const clockErrorsMs = [240_000, 2 * 86_400_000] as const
export interface ChaosOptions {
  readonly seed: number
  readonly changes: number
  /** Whether the server goes back to an earlier moment on the way. */
  readonly goesBack: boolean
  /** Nobody waits for the run any more. */
  readonly signal: AbortSignal
}

/**
 * One seed against a server and a database of its own. Throws only when the run itself could not be made. Leaves no process
 * behind, also when `signal` says that nobody waits for it any more.
 */
export async function runChaos({ seed, changes, goesBack, signal }: ChaosOptions): Promise<ChaosReport> {
  const random = seededRandom(seed)
  const dice = createChance(random)
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'beaconry-chaos-'))
  const server = await prepareServerProcess({ DATA_DIR: dataDir, TRUST_PROXY: '1' })
  const closing: (() => unknown)[] = [
    () => rmSync(dataDir, { recursive: true, force: true }),
    () => endProcesses(server, dataDir),
  ]
  let closed: Promise<void> | undefined
  const close = () => (closed ??= closeAll(closing))
  const abandon = () => void close()
  signal.addEventListener('abort', abandon)
  try {
    await server.start()
    const witness = await openWitness(dataDir)
    closing.push(() => witness.close())
    const proxy = await startFaultProxy({
      target: server.origin,
      random: seededRandom(seed + 1000),
      probability: faultProbability,
    })
    closing.push(() => proxy.close())
    const network = openNetwork(proxy.origin)
    closing.push(() => network.end())

    const broken: string[] = []
    const looks = new Set<Promise<void>>()
    // Odd while the server goes back: what a phone was told before is judged at the end, not by a look into another history.
    let history = 0
    const ledger = openLedger((told) => {
      const toldIn = history
      // Kept as it was told: by the time of the answer more may have been said.
      const lines = told.map((line) => ({ ...line }))
      const look: Promise<void> = witness
        .stored(lines.map(({ key }) => key))
        .then((stored) => {
          if (toldIn === history && history % 2 === 0) broken.push(...falselyTold(lines, stored))
        })
        .finally(() => looks.delete(look))
      looks.add(look)
    })
    const startVersions = await versionsOf(witness)

    const fleet = await openFleet({
      origin: server.origin,
      network,
      ledger,
      random,
      broken,
      // The first released app offered nothing again.
      isOld: (place) => !goesBack && place % 2 === 1,
    })
    closing.push(() => fleet.close())
    const { organizers, visitors, all: phones } = fleet
    await fleet.startPulling()
    // Whoever applies has seen the event's page before.
    await Promise.all(visitors.map((phone) => phone.look()))

    const met = Object.fromEntries(disasters.map((disaster) => [disaster, 0])) as Record<Disaster, number>
    const plan = makePlan(changes - lastWithoutNetwork, random, goesBack)
    const rig = { server, dataDir, witness, proxy, network, ledger, random }
    const looking: Promise<unknown>[] = []
    let hasLostEnough = () => false
    async function meet(mishap: Mishap): Promise<void> {
      if (mishap === 'lay-aside') {
        await layAside(rig)
        hasLostEnough = enoughToLose(ledger.lines)
        return
      }
      if (mishap !== 'put-back') {
        await strike(mishap, rig)
        met[mishap]++
        return
      }
      const deadline = Date.now() + enoughWithinMs
      while (!hasLostEnough() && Date.now() < deadline) await delay(20)
      history++
      const epoch = await putBack(rig)
      history++
      looking.push(...visitors.map((phone) => keepLooking(phone, epoch, signal)))
    }
    const crowd = createCrowd({ dice, organizers, visitors, signal })
    const reconnects: Promise<number | undefined>[] = []
    let clockJumps = 0
    let striking: Promise<void> = Promise.resolve()
    let isStriking = false
    for (let step = 1; step <= changes; step++) {
      await crowd.change()
      await delay(random() * longestThoughtMs)
      if (dice.chance(0.15)) await crowd.secondThought()
      if (dice.chance(0.03)) dice.pick(phones)?.crashInNextRequest()
      const wanderer = dice.pick(phones)
      if (step >= changes - lastWithoutNetwork) for (const phone of phones) phone.isOnline = false
      else if (wanderer?.isOnline && dice.chance(0.01)) wanderer.isOnline = false
      else if (wanderer && !wanderer.isOnline && dice.chance(0.2)) reconnects.push(reconnect(wanderer))
      // How long a change that is offered again waits for what it needs is told by the phone's clock.
      if (history === 0 && dice.chance(0.02)) {
        clockJumps++
        dice.pick(phones)?.setClockOff((2 * random() - 1) * dice.pick(clockErrorsMs))
      }
      const mishap = plan.get(step)
      if (!mishap) continue
      if (isStriking) await striking
      isStriking = true
      striking = meet(mishap).then(() => {
        isStriking = false
      })
      striking.catch(() => undefined)
    }
    await Promise.all(phones.map(longWait))
    reconnects.push(...phones.map(reconnect))
    await striking
    proxy.calm()

    // From here on nobody touches anything: what is queued goes out by itself.
    const equalAfterFaultMs = await equalled(organizers, witness)
    await Promise.all(looking)
    if (goesBack) await drainedAgain(phones)
    await drained(phones, broken)
    await cleanUp(organizers, broken)
    const equalAfterChangeMs = await equalled(organizers, witness)
    await fleet.stopPulling()
    const held = organizers.map(({ replica }) => sortedDocuments(replica.documents))
    // What was answered after a pull had begun is settled by the next one.
    for (const phone of organizers) await phone.replica.pull()
    const firstSends = (await Promise.all(reconnects)).filter((milliseconds) => milliseconds !== undefined)
    await Promise.all(looks)

    const lines = [...ledger.lines.values()]
    for (const phone of organizers) {
      const left = await phone.store.entriesOf(phone.userId)
      broken.push(
        ...left
          .filter(({ state }) => state !== 'parked')
          .map(({ key, state }) => `${key} is still ${state} on ${phone.name}`),
      )
    }
    const effects = await witness.effects()
    const stored = await witness.stored(lines.map(({ key }) => key))
    const unchanged = new Set(stored.filter(isUnchanged).map(({ key }) => key))
    broken.push(
      ...ledger.wrongs,
      ...falselyTold(lines, stored),
      ...(await unanswered(lines, witness)),
      ...wrongEffects(lines, effects, new Map(phones.map(({ name, deviceId }) => [name, deviceId])), unchanged),
      ...inversions(
        lines.filter(({ key }) => !unchanged.has(key)),
        effects,
      ),
      ...wronglyRefusedAgain(lines, effects),
      ...versionGaps(effects, startVersions, await versionsOf(witness)),
    )
    const fresh = await fleet.openAnother('a new phone')
    if (!(await fresh.replica.pull())) broken.push('a new phone could not pull')
    const db = createKnex(connectionTo(clusterFolder(dataDir)))
    const log = await logAgainstTables(db)
    await db.destroy()

    const told = (what: string) => lines.filter((line) => line.told === what).length
    return {
      changes,
      acknowledged: told('acknowledged'),
      withdrawn: told('withdrawn'),
      conflicts: lines.filter(({ problem }) => problem?.code === 'conflict').length,
      slowestFirstSendMs: Math.max(0, ...firstSends),
      nineOfTenFirstSendsMs:
        firstSends.toSorted((one, other) => one - other)[Math.ceil(firstSends.length * 0.9) - 1] ?? 0,
      firstSends: firstSends.length,
      equalAfterFaultMs,
      equalAfterChangeMs,
      clockJumps,
      returns: history / 2,
      broughtBack: countBy(
        lines.filter((line) => line.again && line.before === 'forgotten' && line.told === 'acknowledged'),
      ),
      oldChanges: crowd.oldChanges(),
      faults: { ...proxy.counts },
      disasters: met,
      crashes: phones.reduce((sum, { crashes }) => sum + crashes.count, 0),
      leftSending: phones.reduce((sum, { crashes }) => sum + crashes.foundSending, 0),
      broken,
      replicas: [...held, sortedDocuments(fresh.replica.documents)],
      log,
    }
  } finally {
    signal.removeEventListener('abort', abandon)
    await close()
  }
}

async function closeAll(closing: readonly (() => unknown)[]): Promise<void> {
  for (const close of closing.toReversed()) await close()
}

/** The server stops its PostgreSQL; one that outlived a killed server is killed too. */
async function endProcesses(server: ServerProcess, dataDir: string): Promise<void> {
  await server.stop()
  const pid = readPostmasterFile(clusterFolder(dataDir))?.pid
  if (pid && isAlive(pid)) process.kill(pid, 'SIGKILL')
}

function countBy(lines: readonly Line[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { mutation } of lines) counts[mutation] = (counts[mutation] ?? 0) + 1
  return counts
}

/** Somebody opens the app now and then, until it has heard of an epoch, through whatever happens to the phone. */
async function keepLooking(phone: Phone, epoch: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await phone.risen()
    if ((await phone.look().catch(() => undefined)) === epoch) return
    await delay(lookAgainMs)
  }
}

function sortedDocuments(documents: OrganizerPhone['replica']['documents']): unknown {
  return Object.fromEntries(
    Object.entries(documents).map(([collection, byKey]) => [
      collection,
      [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    ]),
  )
}
