import { Client } from 'pg'
import type { Logger } from 'pino'
import { FEED_CHANNEL } from './change-feed.ts'

const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 5_000
const PROBE_MS = 20_000

/** Hears from PostgreSQL what any server process has committed. */
export interface FeedListener {
  /** A scope has a new version; also `session:<hash>` when a session was ended. */
  onAnnouncement(tell: (scope: string, version: number) => void): void
  /** Listening was interrupted and works again: anything may have been missed. */
  onResumed(tell: () => void): void
  /** Whether announcements arrive at this moment. */
  isAlive(): boolean
  close(): Promise<void>
}

/**
 * LISTEN on a connection of its own, opened again whenever it breaks; a probe finds one that died silently. What it
 * tells is a hint only: the change feed is the truth.
 */
export async function startFeedListener(connectionString: string, log: Logger): Promise<FeedListener> {
  const announcements: ((scope: string, version: number) => void)[] = []
  const resumptions: (() => void)[] = []
  let client: Client | undefined
  let closed = false
  let retryMs = FIRST_RETRY_MS
  let retryTimer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new Client({
      connectionString,
      application_name: 'beaconry-listen',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
    })
    const lost = () => {
      if (client === next) client = undefined
      next.removeAllListeners('notification')
      if (!closed) reconnectLater()
    }
    let ended = false
    const onceLost = () => {
      if (ended) return
      ended = true
      lost()
    }
    // An 'error' is always followed by the end of the connection, but not always by its 'end' event.
    next.on('error', onceLost)
    next.on('end', onceLost)
    next.on('notification', ({ payload = '' }) => {
      const space = payload.lastIndexOf(' ')
      for (const tell of announcements) tell(payload.slice(0, space), Number(payload.slice(space + 1)))
    })
    try {
      await next.connect()
      await next.query(`listen ${FEED_CHANNEL}`)
    } catch (error) {
      ended = true
      next.end().catch(() => undefined)
      throw error
    }
    if (closed) {
      await next.end()
      return
    }
    client = next
    retryMs = FIRST_RETRY_MS
  }

  function reconnectLater(): void {
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => {
      connect().then(
        () => {
          if (closed) return
          log.info('listening to the change feed again')
          for (const tell of resumptions) tell()
        },
        (error: unknown) => {
          if (closed) return
          log.warn({ err: error }, 'cannot listen to the change feed')
          reconnectLater()
        },
      )
    }, retryMs)
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
  }

  await connect()
  const probe = setInterval(() => {
    const probed = client
    probed?.query('select 1').catch(() => probed.end().catch(() => undefined))
  }, PROBE_MS)
  probe.unref()

  return {
    onAnnouncement: (tell) => void announcements.push(tell),
    onResumed: (tell) => void resumptions.push(tell),
    isAlive: () => client !== undefined,
    close: async () => {
      closed = true
      clearTimeout(retryTimer)
      clearInterval(probe)
      await client?.end()
    },
  }
}
