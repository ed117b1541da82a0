import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { runProgram } from '../testing/programs.ts'
import { setTestDatabase } from '../testing/test-database.ts'

const { db, connectionString } = await setTestDatabase()
const other = createServer()
await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
const taken = (other.address() as AddressInfo).port
afterAll(() => new Promise((resolve) => other.close(resolve)))

const elsewhere = ['192.0.2.1', '192.0.2.1 is no address of this machine.'] as const
const inUse = [String(taken), `Port ${taken} is in use by another program.`] as const

it.each([
  ['HOST', {}, ...elsewhere],
  ['METRICS_HOST', { METRICS_PORT: '0' }, ...elsewhere],
  ['PORT', {}, ...inUse],
  ['METRICS_PORT', {}, ...inUse],
])('a server whose %s is not this machine’s or taken says so and ends', async (setting, more, value, why) => {
  const settings = { DATABASE_URL: connectionString, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...more }
  expect(await runProgram('main', [], { ...settings, [setting]: value })).toEqual({
    status: 78,
    output: expect.stringContaining(`Beaconry cannot start:\n  ${why} ${setting} chooses another one.\n`),
  })
  const connections = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  // A backend ends a moment after the connection that it served.
  await expect.poll(async () => (await db.raw(connections)).rows).toEqual([])
})
