import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createKnex } from '../../../../sync-server/db/knex-config.ts'
import { clusterFolder, readPostmasterFile } from '../../../../sync-server/db/embedded/postgres-cluster.ts'
import { isAlive } from '../../../../sync-server/db/embedded/os-process.ts'
import { startFaultProxy } from '../../../../sync-server/testing/proxies/fault-proxy.ts'
import { prepareServerProcess, type ServerProcess } from '../../../../sync-server/testing/server-process.ts'
import { createChance, seededRandom } from '../simulation/sim-world.ts'
import { createCrowd } from './crowd.ts'
import { disasters, planDisasters, strike, type Disaster } from './disasters.ts'
import { cleanUp, drained } from './drain.ts'
import { equalled } from './equality.ts'
import { openFleet } from './fleet.ts'
import { openLedger } from './ledger.ts'
import { openNetwork } from './network.ts'
import { falselyTold, isUnchanged, inversions, logAgainstTables, unanswered, wrongEffects } from './promises.ts'
import type { OrganizerPhone } from './phone.ts'
import { connectionTo, openWitness } from './witness.ts'

/** How likely a call meets a fault, and how long people think between two changes. */
const faultProbability = 0.35
const longestThoughtMs = 24
const countWithinMs = 10_000

interface ChaosOptions {
  readonly seed: number
  readonly changes: number
  /** Nobody waits for the run any more. */
  readonly signal: AbortSignal
}

/** What one seed's run met and what came of it. */
interface ChaosReport {
  readonly acknowledged: number
  readonly disasters: Readonly<Record<Disaster, number>>
  /** What depends on chance, and how often it came: a run that met none of it says nothing about it. */
  readonly met: Readonly<Record<string, number>>
  /** P6: how long after the last fault, and after the last change, the replicas were equal to the server, in milliseconds. */
  readonly equalAfterFaultMs: number
  readonly equalAfterChangeMs: number
  /** Every broken promise, in words. */
  readonly broken: readonly string[]
  /** What each organizer's phone, and a new one, hold at the end: all the same. */
  readonly replicas: readonly unknown[]
  readonly log: { readonly logged: unknown; readonly fromTables: unknown }
}

/**
 * One seed against a server and a database of its own. Throws only when the run itself could not be made. Leaves no process
 * behind, also when `signal` says that nobody waits for it any more.
 */
export async function runChaos({ seed, changes, signal }: ChaosOptions): Promise<ChaosReport> {
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
    const ledger = openLedger((told) => {
      // Kept as it was told: by the time of the answer more may have been said.
      const lines = told.map((line) => ({ ...line }))
      const look: Promise<void> = witness
        .stored(lines.map(({ key }) => key))
        .then((stored) => void broken.push(...falselyTold(lines, stored)))
        .finally(() => looks.delete(look))
      looks.add(look)
    })
    const fleet = await openFleet({
      origin: server.origin,
      network,
      ledger,
      random,
      broken,
    })
    closing.push(() => fleet.close())
    const { organizers, visitors, all: phones } = fleet
    await fleet.startPulling()

    const met = Object.fromEntries(disasters.map((disaster) => [disaster, 0])) as Record<Disaster, number>
    const plan = planDisasters(changes, random)
    const rig = { server, witness, proxy, random }
    const crowd = createCrowd({ dice, organizers, visitors, signal })
    let striking: Promise<void> = Promise.resolve()
    for (let step = 1; step <= changes; step++) {
      await crowd.change()
      await delay(random() * longestThoughtMs)
      if (dice.chance(0.03)) dice.pick(phones)?.crashInNextRequest()
      const disaster = plan.get(step)
      if (!disaster) continue
      await striking
      striking = strike(disaster, rig).then(() => void met[disaster]++)
      striking.catch(() => undefined)
    }
    await striking
    proxy.calm()

    // From here on nobody touches anything: what is queued goes out by itself.
    const equalAfterFaultMs = await equalled(organizers, witness)
    await drained(phones, broken)
    await cleanUp(organizers, broken)
    const equalAfterChangeMs = await equalled(organizers, witness)
    await fleet.stopPulling()
    const held = organizers.map(({ replica }) => sortedDocuments(replica.documents))
    // What was answered after a pull had begun is settled by the next one.
    for (const phone of organizers) await phone.replica.pull()
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
    const done = lines
      .filter(({ key, told }) => told === 'acknowledged' && !unchanged.has(key))
      .toSorted((one, other) => one.seq - other.seq)
    broken.push(
      ...ledger.wrongs,
      ...falselyTold(lines, stored),
      ...unanswered(lines),
      ...wrongEffects(done, effects),
      ...inversions(done, effects),
    )
    const fresh = await fleet.openAnother('a new phone')
    if (!(await fresh.replica.pull())) broken.push('a new phone could not pull')
    const db = createKnex(connectionTo(clusterFolder(dataDir)))
    let log = await logAgainstTables(db)
    // The public's count of Beacons follows the decisions by a second or two.
    const countedBy = Date.now() + countWithinMs
    while (!isDeepStrictEqual(log.logged, log.fromTables) && Date.now() < countedBy) {
      await delay(200)
      log = await logAgainstTables(db)
    }
    await db.destroy()

    const told = (what: string) => lines.filter((line) => line.told === what).length
    return {
      acknowledged: told('acknowledged'),
      disasters: met,
      met: {
        ...proxy.counts,
        conflicts: lines.filter(({ problem }) => problem?.code === 'conflict').length,
        'crashes of a phone': phones.reduce((sum, { crashes }) => sum + crashes.count, 0),
        'changes left in sending by a crash': phones.reduce((sum, { crashes }) => sum + crashes.foundSending, 0),
      },
      equalAfterFaultMs,
      equalAfterChangeMs,
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

function sortedDocuments(documents: OrganizerPhone['replica']['documents']): unknown {
  return Object.fromEntries(
    Object.entries(documents).map(([collection, byKey]) => [
      collection,
      [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    ]),
  )
}
