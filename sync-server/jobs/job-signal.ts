import { Client } from 'pg'
import type { Logger } from 'pino'
import { jobsChannel } from './job-store.ts'

const retryMs = 1_000

/**
 * Calls `wake` whenever a transaction that queued a job has committed, on whatever process. A hint only: while the
 * connection is broken nothing is heard, and the worker's poll finds the job. Answers how to stop.
 */
export function listenForJobs(connectionString: string, log: Logger, wake: () => void): () => Promise<void> {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function connect(): Promise<void> {
    const next = new Client({
      connectionString,
      application_name: 'beaconry-jobs',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    client = next
    next.on('notification', wake)
    // pg reports a broken connection as an error, as an end, or as both.
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    try {
      await next.connect()
      await next.query(`listen ${jobsChannel}`)
      wake()
    } catch (error) {
      log.warn({ err: error }, 'cannot listen for jobs')
      lost(next)
    }
  }

  function lost(which: Client): void {
    if (client !== which) return
    client = undefined
    which.end().catch(() => undefined)
    if (!stopped) timer = setTimeout(() => void connect(), retryMs)
  }

  void connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    const last = client
    client = undefined
    await last?.end().catch(() => undefined)
  }
}
