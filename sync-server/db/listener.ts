import { Client } from 'pg'
import type { Logger } from 'pino'

const firstRetryMs = 50
const longestRetryMs = 5_000
const probeMs = 20_000

export interface ListenerTerms {
  readonly connectionString: string
  readonly channel: string
  readonly name: string
  readonly onNotification: (payload: string) => void
  /** Listening works again after an interruption: anything may have been missed. */
  readonly onResumed: () => void
  readonly log: Logger
}

export interface Listener {
  /** Settles with the first attempt; further attempts are made after a rejection too. */
  readonly begun: Promise<void>
  isAlive(): boolean
  close(): Promise<void>
}

/**
 * Listens on a connection of its own, which is reopened whenever it breaks, also silently. Announcements are hints: a
 * caller that relies on them looks for itself now and then.
 */
export function startListener(terms: ListenerTerms): Listener {
  const { connectionString, channel, name, onNotification, onResumed, log } = terms
  let client: Client | undefined
  let closed = false
  let retryMs = firstRetryMs
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new Client({
      connectionString,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
    })
    let ended = false
    // An 'error' is always followed by the end of the connection, but not always by its 'end' event.
    const onLost = () => {
      if (ended) return
      ended = true
      if (client === next) client = undefined
      next.removeAllListeners('notification')
      connectLater()
    }
    next.on('error', onLost)
    next.on('end', onLost)
    next.on('notification', ({ payload = '' }) => onNotification(payload))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
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
    retryMs = firstRetryMs
  }

  function connectLater(): void {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      connect().then(() => {
        if (closed) return
        log.info({ channel }, 'listening again')
        onResumed()
      }, onFailed)
    }, retryMs)
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  }

  function onFailed(error: unknown): void {
    if (closed) return
    log.warn({ err: error, channel }, 'cannot listen')
    connectLater()
  }

  const begun = connect()
  begun.catch(onFailed)
  const probe = setInterval(() => {
    const probed = client
    probed?.query('select 1').catch(() => probed.end().catch(() => undefined))
  }, probeMs)
  probe.unref()

  return {
    begun,
    isAlive: () => client !== undefined,
    async close() {
      closed = true
      clearTimeout(timer)
      clearInterval(probe)
      await client?.end().catch(() => undefined)
    },
  }
}
