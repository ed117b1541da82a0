import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { createKnex } from '../db/knex-config.ts'
import { migrate } from '../db/migrate.ts'
import { isAlive } from '../db/embedded/os-process.ts'
import { clusterFolder, readPostmasterFile } from '../db/embedded/postgres-cluster.ts'

/** Where clones are made from: a migrated database nobody connects to, on a server where databases may be created. */
export interface TemplateDatabase {
  /** Address of a database of the same server to send CREATE DATABASE to. */
  adminUrl: string
  template: string
}

const FOLDER_PREFIX = 'beaconry-test-postgres-'

/**
 * A throw-away PostgreSQL server with a migrated template, or a template on the server at `existingUrl`.
 * `stop` removes all of it.
 */
export async function startTemplateDatabase(
  existingUrl?: string,
): Promise<TemplateDatabase & { stop(): Promise<void> }> {
  if (existingUrl !== undefined) {
    const template = await createTemplate(existingUrl)
    return {
      adminUrl: existingUrl,
      template,
      stop: () => dropDatabase(existingUrl, template),
    }
  }
  removeLeftovers()
  const dataDir = mkdtempSync(path.join(os.tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  const server = await startEmbeddedPostgres({ dataDir, durability: 'test', log: () => undefined })
  const template = await createTemplate(server.connectionString)
  return {
    adminUrl: server.connectionString,
    template,
    stop: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Makes an own copy of the template; answers its address and how to drop it. */
export async function cloneTemplate({
  adminUrl,
  template,
}: TemplateDatabase): Promise<{ connectionString: string; drop(): Promise<void> }> {
  const name = `beaconry_test_${randomBytes(6).toString('hex')}`
  await runOn(adminUrl, `create database ${name} template ${template}`)
  return {
    connectionString: withDatabase(adminUrl, name),
    drop: () => dropDatabase(adminUrl, name),
  }
}

async function createTemplate(adminUrl: string): Promise<string> {
  const template = `beaconry_template_${randomBytes(6).toString('hex')}`
  await runOn(adminUrl, `create database ${template}`)
  const db = createKnex(withDatabase(adminUrl, template))
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
  return template
}

const insufficientPrivilege = '42501'

/**
 * Drops a database, whoever is still connected. PostgreSQL's own workers (autovacuum) belong to the superuser, which nobody
 * here is: they are soon gone.
 */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runOn(adminUrl, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if ((error as { code?: unknown }).code !== insufficientPrivilege || tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** A killed test run leaves its server and folder behind; the next one clears them. */
function removeLeftovers(): void {
  for (const name of readdirSync(os.tmpdir())) {
    const run = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1]
    if (run === undefined || isAlive(Number(run))) continue
    const dataDir = path.join(os.tmpdir(), name)
    const server = readPostmasterFile(clusterFolder(dataDir))
    if (server && isAlive(server.pid)) process.kill(server.pid, 'SIGQUIT')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
