import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createKnex } from '../../../../sync-server/db/knex-config.ts'
import { appConnection } from '../../../../sync-server/db/app-role.ts'
import { clusterFolder, readPostmasterFile } from '../../../../sync-server/db/postgres-cluster.ts'
import { isAlive } from '../../../../sync-server/db/os-process.ts'
import { startFaultProxy } from '../../../../sync-server/testing/fault-proxy.ts'
import { prepareServerProcess, type ServerProcess } from '../../../../sync-server/testing/server-process.ts'
import { seededRandom } from '../sim-world.ts'
import { chanceOf, createCrowd, type OrganizerPhone } from './crowd.ts'
import { disasters, strike, type Disaster } from './disasters.ts'
import { cleanUp, drained } from './drain.ts'
import { equalled, versionsOf } from './equality.ts'
import { reconnect } from './first-send.ts'
import { openFleet } from './fleet.ts'
import { openLedger } from './ledger.ts'
import { openNetwork } from './network.ts'
import { falselyTold, inversions, logAgainstTables, unanswered, versionGaps, wrongEffects } from './promises.ts'
import type { ChaosReport } from './report.ts'
import { openWitness } from './witness.ts'

/** How likely a call meets a fault, and how long people think between two changes. */
const faultProbability = 0.35
const longestThoughtMs = 24
/** How far clocks are set off at most, in ms: by less than the longest waiting time of the queue, and by far more. */
const clockErrorsMs = [240_000, 2 * 86_400_000] as const
/**
 * One seed against a server and a database of its own. Throws only when the run itself could not be made. Leaves no process
 * behind, also when `signal` says that nobody waits for it any more.
 */
export async function runChaos(seed: number, changes: number, signal: AbortSignal): Promise<ChaosReport> {
  const startedAt = Date.now()
  const random = seededRandom(seed)
  const chance = chanceOf(random)
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
    const startVersions = await versionsOf(witness)

    const fleet = await openFleet({
      origin: server.origin,
      network,
      ledger,
      random,
      broken,
      isOld: (place) => place % 2 === 1,
    })
    closing.push(() => fleet.close())
    const { organizers, visitors, all: phones } = fleet
    await fleet.startPulling()

    const met = Object.fromEntries(disasters.map((disaster) => [disaster, 0])) as Record<Disaster, number>
    const plan = disasterPlan(changes, random)
    const crowd = createCrowd({ random, organizers, visitors })
    const reconnects: Promise<number | undefined>[] = []
    let clockJumps = 0
    let striking: Promise<void> = Promise.resolve()
    let isStriking = false
    for (let step = 1; step <= changes; step++) {
      await crowd.change()
      await delay(random() * longestThoughtMs)
      if (chance.of(0.15)) await crowd.secondThought()
      if (chance.of(0.03)) chance.pick(phones)?.crashInNextRequest()
      const wanderer = chance.pick(phones)
      if (wanderer?.isOnline && chance.of(0.01)) wanderer.isOnline = false
      else if (wanderer && !wanderer.isOnline && chance.of(0.2)) reconnects.push(reconnect(wanderer))
      if (chance.of(0.02)) {
        clockJumps++
        chance.pick(phones)?.setClockOff((2 * random() - 1) * (chance.pick(clockErrorsMs) ?? 0))
      }
      const disaster = plan.get(step)
      if (!disaster) continue
      if (isStriking) await striking
      isStriking = true
      striking = strike(disaster, { server, witness, proxy, random }).then(() => {
        met[disaster]++
        isStriking = false
      })
      striking.catch(() => undefined)
    }
    for (const phone of phones) if (!phone.isOnline) reconnects.push(reconnect(phone))
    await striking
    proxy.calm()

    // From here on nobody touches anything: what is queued goes out by itself.
    const equalAfterFaultMs = await equalled(organizers, witness)
    await drained(phones, broken)
    await cleanUp(organizers, broken)
    const equalAfterMs = Math.max(equalAfterFaultMs, await equalled(organizers, witness))
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
    broken.push(
      ...ledger.wrongs,
      ...falselyTold(lines, await witness.stored(lines.map(({ key }) => key))),
      ...(await unanswered(lines, witness)),
      ...wrongEffects(lines, effects, new Map(phones.map(({ name, deviceId }) => [name, deviceId]))),
      ...inversions(lines, effects),
      ...versionGaps(effects, startVersions, await versionsOf(witness)),
    )
    const fresh = await fleet.openAnother('a new phone')
    if (!(await fresh.replica.pull())) broken.push('a new phone could not pull')
    const db = createKnex(appConnection(clusterFolder(dataDir), readPostmasterFile(clusterFolder(dataDir))?.port ?? 0))
    const log = await logAgainstTables(db)
    await db.destroy()

    const told = (what: string) => lines.filter((line) => line.told === what).length
    return {
      changes,
      seconds: Math.round((Date.now() - startedAt) / 1000),
      acknowledged: told('acknowledged'),
      refused: told('refused'),
      withdrawn: told('withdrawn'),
      conflicts: lines.filter(({ problem }) => problem?.code === 'conflict').length,
      slowestFirstSendMs: Math.max(0, ...firstSends),
      firstSends: firstSends.length,
      equalAfterMs,
      clockJumps,
      oldChanges: crowd.oldChanges(),
      faults: { ...proxy.counts },
      disasters: met,
      crashes: phones.reduce((sum, { crashes }) => sum + crashes.count, 0),
      leftSending: phones.reduce((sum, { crashes }) => sum + crashes.foundSending, 0),
      effects: effects.filter(({ relation }) => relation !== 'sync_log' && relation !== 'idempotency_keys').length,
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

/** Each kind of disaster twice, spread over the run in an order of the seed's own. */
function disasterPlan(changes: number, random: () => number): Map<number, Disaster> {
  const order = [...disasters, ...disasters].map((disaster) => ({ disaster, at: random() })).sort((a, b) => a.at - b.at)
  const stretch = changes / (order.length + 1)
  return new Map(order.map(({ disaster }, index) => [Math.floor(stretch * (index + 0.5 + random() * 0.8)), disaster]))
}

function sortedDocuments(documents: OrganizerPhone['replica']['documents']): unknown {
  return Object.fromEntries(
    Object.entries(documents).map(([collection, byKey]) => [
      collection,
      [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    ]),
  )
}
