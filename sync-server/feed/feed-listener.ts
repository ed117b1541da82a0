import { Client } from 'pg'
import type { Logger } from 'pino'
import { FEED_CHANNEL } from './change-feed.ts'

const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 5_000
const PROBE_MS = 20_000

/** What one transaction did to a scope. */
export interface FeedAnnouncement {
  readonly version: number
  /** The scope's version before it. */
  readonly since: number
  /** The collections of the documents it changed. */
  readonly collections: readonly string[]
}

/** Hears from PostgreSQL what any server process has committed. */
export interface FeedListener {
  /** A scope has a new version; also `session:<hash>` when a session was ended. */
  onAnnouncement(tell: (scope: string, announcement: FeedAnnouncement) => void): void
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
  const announcements: ((scope: string, announcement: FeedAnnouncement) => void)[] = []
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
      const [scope = '', version = '', given = '0', collections = ''] = payload.split(' ')
      const since = Number(version) - Number(given)
      for (const tell of announcements)
        tell(scope, { version: Number(version), since, collections: collections.split(',') })
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
