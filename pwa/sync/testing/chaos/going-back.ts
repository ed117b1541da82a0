import { execFile } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { databaseWentBack } from '../../../../sync-server/app/database-went-back.ts'
import { createKnex } from '../../../../sync-server/db/knex-config.ts'
import { clusterFolder } from '../../../../sync-server/db/postgres-cluster.ts'
import type { ServerProcess } from '../../../../sync-server/testing/server-process.ts'
import type { PhoneNetwork } from './network.ts'
import type { Ledger, Line } from './ledger.ts'
import { connectionTo, type Witness } from './witness.ts'

interface GoingBackRig {
  readonly server: ServerProcess
  readonly dataDir: string
  readonly network: PhoneNetwork
  readonly witness: Witness
  readonly ledger: Ledger
}

const asideFolder = (dataDir: string) => path.join(dataDir, 'laid-aside')

/** What each device has to bring back, and how much of it at least. */
export const broughtBackByAll = ['decide-application', 'apply-as-beacon'] as const
const enough = 8
/** How long at most the server's going back waits until that much would be lost, in milliseconds. */
export const enoughWithinMs = 30_000

/** Answers a question: whether that much was acknowledged since now. */
export function enoughToLose(lines: Ledger['lines']): () => boolean {
  const isDone = ({ told }: Line) => told === 'acknowledged'
  const before = new Set([...lines.values()].filter(isDone).map(({ key }) => key))
  return () => {
    const since = [...lines.values()].filter((line) => isDone(line) && !before.has(line.key))
    return broughtBackByAll.every((name) => since.filter(({ mutation }) => mutation === name).length >= enough)
  }
}

/** Lays a copy of the database's files aside, with server and PostgreSQL stopped, and starts them again. */
export async function layAside({ server, dataDir }: Pick<GoingBackRig, 'server' | 'dataDir'>): Promise<void> {
  await server.stop()
  // With `-a` the files stay those of the user PostgreSQL runs as.
  await promisify(execFile)('cp', ['-a', clusterFolder(dataDir), asideFolder(dataDir)])
  await server.start()
}

/**
 * Puts the copy in place of the database, starts the server, and says, as its operator does with `npm run new-epoch`, that it
 * went back: to PostgreSQL it is the very database it was. Until that is said nobody reaches the server: numbers that
 * were given out in the lost time would be given to others.
 * @returns the new epoch
 */
export async function putBack({ server, dataDir, network, witness, ledger }: GoingBackRig): Promise<string> {
  network.isShut = true
  await server.stop()
  rmSync(clusterFolder(dataDir), { recursive: true })
  renameSync(asideFolder(dataDir), clusterFolder(dataDir))
  await server.start()
  const db = createKnex(connectionTo(clusterFolder(dataDir)), { poolSize: 1 })
  try {
    const { epoch } = await db.transaction(databaseWentBack)
    const stored = await witness.stored([...ledger.lines.keys()])
    ledger.goesBack(new Set(stored.map(({ key }) => key)))
    network.isShut = false
    return epoch
  } finally {
    await db.destroy()
  }
}
