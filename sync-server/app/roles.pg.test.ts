import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { insertJob } from '../jobs/job-store.ts'
import { prepareServerProcess, type ServerProcess } from '../testing/server-process.ts'
import { setTestDatabase } from '../testing/test-database.ts'

const { db, connectionString } = await setTestDatabase()
const as = async (ROLE: string) =>
  await prepareServerProcess({ DATABASE_URL: connectionString, ROLE }, { fromSource: true })
const web = await as('web')
const jobs = await as('jobs')
afterAll(() => Promise.all([web.stop(), jobs.stop()]))

const statusOf = async (server: ServerProcess, path: string) => (await fetch(server.origin + path)).status

it('a process for calls leaves jobs to a process for jobs, which answers no call', async () => {
  const key = randomUUID()
  await db.transaction((trx) => insertJob(trx, { kind: 'send-mail', key, payload: {} }))
  await web.start()
  expect(await statusOf(web, '/api/events')).toBe(200)
  const { rows } = await db.raw(
    `select application_name as name from pg_stat_activity where datname = current_database()
     and application_name in ('beaconry-listen', 'beaconry-jobs')`,
  )
  expect(rows).toEqual([{ name: 'beaconry-listen' }])

  const job = async () => await db('jobs').where({ key }).first('state', 'attempts')
  expect(await job()).toEqual({ state: 'waiting', attempts: 0 })
  await jobs.start()
  await expect.poll(async () => (await job())?.attempts).toBe(1)
  expect(await statusOf(jobs, '/healthz')).toBe(200)
  for (const path of ['/api/events', '/', '/contact']) expect(await statusOf(jobs, path)).toBe(404)
})
