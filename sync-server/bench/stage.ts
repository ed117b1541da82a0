import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Knex } from 'knex'
import { newKeyPair } from '../db/key-pair.ts'
import { presentTouched } from '../app/nouns.ts'
import type { Touched } from '../calls/touched.ts'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { createKnex } from '../db/knex-config.ts'
import { clusterFolder, readPostmasterFile } from '../db/embedded/postgres-cluster.ts'
import { recordChanges } from '../feed/change-feed.ts'
import { addSession, addUser } from '../testing/account-rows.ts'
import { addSubscription } from '../testing/billing-rows.ts'
import { prepareServerProcess, type ServerProcess } from '../testing/server-process.ts'
import { createMemoryMeter } from './process-meters.ts'

/** The built server on a PostgreSQL of its own that writes to disk as a real one does. */
export interface Stage {
  readonly server: ServerProcess
  readonly db: Knex
  readonly connectionString: string
  readonly postgresPid: number
  /** The server collects its garbage before it answers. */
  heldBytes(): Promise<number>
  /** An organizer of their own with so many pending applications, spread evenly over the events. */
  addOrganizer(applications: number, events?: number): Promise<Organizer>
  /** The value of a new session's cookie. */
  signIn(userId: number): Promise<string>
  stop(): Promise<void>
}

export interface Organizer {
  readonly userId: number
  /** The first of the events. */
  readonly eventId: number
  /** Ascending. */
  readonly applicationIds: readonly number[]
}

/** @param env settings of the server beside its database */
export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'beaconry-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const { connectionString } = postgres
  const memory = await createMemoryMeter()
  const server = await prepareServerProcess({ DATABASE_URL: connectionString, ...memory.env, ...env })
  await server.start()
  const db = createKnex(connectionString)
  let organizers = 0
  return {
    server,
    db,
    connectionString,
    postgresPid: readPostmasterFile(clusterFolder(dataDir))?.pid ?? 0,
    heldBytes: memory.heldBytes,
    addOrganizer: async (applications, events) => await addOrganizer(db, ++organizers, applications, events),
    signIn: (userId) => addSession(db, userId),
    stop: async () => {
      await server.kill()
      await db.destroy()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const sentence =
  'I know the floor plan of every hall in this city, and which corner stays quiet enough for two people to talk. '

export async function addOrganizer(db: Knex, number: number, applications: number, events = 1): Promise<Organizer> {
  return await db.transaction(async (trx) => {
    const userId = await addUser(trx, `organizer${number}`)
    await addSubscription(trx, userId, 3)
    const day = (index: number) => new Date(Date.UTC(2099, 2, 1 + index)).toISOString().slice(0, 10)
    const eventIds = (
      await trx('events')
        .insert(
          Array.from({ length: events }, (_, index) => ({
            ...newKeyPair(),
            organizerId: userId,
            name: `Harbor Mixer ${number}${index === 0 ? '' : ` on day ${index + 1}`}`,
            description: sentence.repeat(3),
            startDate: day(index),
            endDate: day(index + 1),
            location: 'Pier 9',
            address: '1 Harbor Way',
            city: 'Chicago',
            state: 'Illinois',
            zipCode: '60611',
            timeZone: 'America/Chicago',
            beaconIncentives: 'Free ticket',
          })),
        )
        .returning('id')
    ).map(({ id }) => id)
    await trx.raw(
      `insert into applications (event_id, first_name, last_name, email, company, job_title, experience, expertise, why_beacon,
         networking_style, bio, terms_accepted_at, terms_version, status_token_hash)
       select event_id, 'Bea', 'Moss ' || n, 'bea' || n || '@example.com', 'Lantern ' || n, 'Designer', 'First time', 'Design',
         ?, 'Curious', ?, now(), '1', 'token-' || event_id || '-' || n
       from unnest(?::bigint[]) as event_id, generate_series(1, ?) as n`,
      [sentence, sentence.repeat(2), eventIds, applications / events] as unknown as Knex.Value[],
    )
    const applicationIds: number[] = await trx('applications').whereIn('eventId', eventIds).orderBy('id').pluck('id')
    const touched: Touched[] = [
      { what: 'account', id: userId },
      ...eventIds.map((id) => ({ what: 'event' as const, id, organizerId: userId })),
      ...applicationIds.map((id) => ({ what: 'application' as const, id, organizerId: userId })),
    ]
    await recordChanges(trx, (await presentTouched(trx, touched, new Date())).flat())
    return { userId, eventId: eventIds[0] ?? 0, applicationIds }
  })
}

export interface RawServer {
  readonly port: number
  readonly pid: number
  heldBytes(): Promise<number>
  /** It approves one application. */
  decide(id: number): Promise<Response>
  stop(): void
}

/** The raw server of `raw-server.ts` beside the stage. */
export async function startRawServer(connectionString: string): Promise<RawServer> {
  const file = path.join(import.meta.dirname, 'raw-server.ts')
  const memory = await createMemoryMeter()
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: connectionString, ...memory.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())))
    child.once('exit', () => reject(new Error('the raw server ended')))
  })
  return {
    port,
    pid: child.pid ?? 0,
    heldBytes: memory.heldBytes,
    decide: (id) => fetch(`http://127.0.0.1:${port}/decide?id=${id}&key=${randomUUID()}`, { method: 'POST' }),
    stop: () => void child.kill(),
  }
}
