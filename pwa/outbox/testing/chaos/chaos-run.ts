import { randomUUID } from 'node:crypto'
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
import { openLedger } from './ledger.ts'
import { openNetwork } from './network.ts'
import { openPhone, type Phone } from './phone.ts'
import { falselyTold, inversions, logAgainstTables, unanswered, versionGaps, wrongEffects } from './promises.ts'
import type { ChaosReport } from './report.ts'
import { signIn } from './sign-in.ts'
import { openWitness, type Witness } from './witness.ts'

/** How likely a call meets a fault, and how long people think between two changes. */
const faultProbability = 0.35
const longestThoughtMs = 24
const visitorCount = 8
/** More than a phone creates in a run. */
const leasedEach = 100
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

    const open = (name: string, userId: number | null, address: string, deviceId: string, cookie?: string) =>
      openPhone({
        name,
        userId,
        address,
        deviceId,
        network,
        ledger,
        random,
        ...(cookie === undefined ? {} : { cookie }),
        onNews: (said) => {
          if (said.type === 'sign-in-needed' || said.type === 'update-needed') broken.push(`${name} heard ${said.type}`)
        },
      })
    const organizers: OrganizerPhone[] = []
    for (const name of ["Olivia's phone", "Olivia's tablet"]) {
      const account = await signIn(server.origin, name, leasedEach)
      const phone = await open(name, account.userId, '10.0.0.1', account.deviceId, account.cookie)
      organizers.push(Object.assign(phone, { leased: account.leased }) as OrganizerPhone)
    }
    const visitors: Phone[] = []
    for (let index = 0; index < visitorCount; index++)
      visitors.push(await open(`phone of volunteer ${index}`, null, `10.0.1.${index + 1}`, randomUUID()))
    const phones = [...organizers, ...visitors]
    closing.push(() => phones.forEach((phone) => phone.close()))

    // The first look at what there is; from then on each organizer's phone pulls whenever it can.
    let isOver = false
    const pulling = organizers.map(async (phone) => {
      while (!isOver) {
        const { count } = phone.crashes
        await phone.replica.pull().catch((error: unknown) => {
          if (phone.crashes.count === count) broken.push(`a pull of ${phone.name} failed: ${String(error)}`)
        })
        await delay(40)
      }
    })
    while (organizers.some((phone) => phone.replica.events().length === 0)) await delay(20)

    const met = Object.fromEntries(disasters.map((disaster) => [disaster, 0])) as Record<Disaster, number>
    const plan = disasterPlan(changes, random)
    const crowd = createCrowd({ random, organizers, visitors })
    let striking: Promise<void> = Promise.resolve()
    let isStriking = false
    for (let step = 1; step <= changes; step++) {
      await crowd.change()
      await delay(random() * longestThoughtMs)
      if (chance.of(0.15)) await crowd.secondThought()
      if (chance.of(0.03)) chance.pick(phones)?.crashInNextRequest()
      const wanderer = chance.pick(phones)
      if (wanderer && chance.of(wanderer.isOnline ? 0.01 : 0.2)) wanderer.isOnline = !wanderer.isOnline
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
    for (const phone of phones) if (!phone.isOnline) phone.isOnline = true
    await striking
    proxy.calm()

    // From here on nobody touches anything: what is queued goes out by itself.
    await drained(phones, broken)
    await cleanUp(organizers, broken)
    isOver = true
    await Promise.all(pulling)
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
    broken.push(
      ...ledger.wrongs,
      ...falselyTold(lines, await witness.stored(lines.map(({ key }) => key))),
      ...(await unanswered(lines, witness)),
      ...wrongEffects(lines, effects, new Map(phones.map(({ name, deviceId }) => [name, deviceId]))),
      ...inversions(lines, effects),
      ...versionGaps(effects, startVersions, await versionsOf(witness)),
    )
    const account = await signIn(server.origin, 'a new phone', 0)
    const fresh = await open('a new phone', account.userId, '10.0.0.1', account.deviceId, account.cookie)
    closing.push(() => fresh.close())
    if (!(await fresh.replica?.pull())) broken.push('a new phone could not pull')
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
      faults: { ...proxy.counts },
      disasters: met,
      crashes: phones.reduce((sum, { crashes }) => sum + crashes.count, 0),
      leftSending: phones.reduce((sum, { crashes }) => sum + crashes.foundSending, 0),
      effects: effects.filter(({ relation }) => relation !== 'sync_log' && relation !== 'idempotency_keys').length,
      broken,
      replicas: [...organizers.map(({ replica }) => replica), fresh.replica].map((replica) =>
        sortedDocuments(replica!.documents),
      ),
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

async function versionsOf(witness: Witness): Promise<Map<string, number>> {
  const rows = await witness.query<{ scope: string; version: number }>('select scope, version from sync_scope')
  return new Map(rows.map(({ scope, version }) => [scope, version]))
}

function sortedDocuments(documents: OrganizerPhone['replica']['documents']): unknown {
  return Object.fromEntries(
    Object.entries(documents).map(([collection, byKey]) => [
      collection,
      [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    ]),
  )
}
