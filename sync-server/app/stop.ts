import type { Server } from 'node:http'
import type { Logger } from 'pino'
import type { App } from './app.ts'

/** How long calls that have begun may take to end. */
const IN_FLIGHT_MS = 10_000

interface Running {
  readonly log: Logger
  readonly server: Server
  readonly app: App
  /** Everything opened before the app, in the order it must close. */
  closeRest(): Promise<void>
}

/**
 * Stops on SIGTERM or SIGINT: readiness red and streams sent away, calls that have begun end, then everything closes
 * and the process exits with 0. A second signal ends it at once.
 */
export function stopGracefully(running: Running): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    running.log.info({ signal }, 'stopping')
    closeInOrder(running).then(
      () => process.exit(0),
      (error: unknown) => {
        running.log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
}

async function closeInOrder({ server, app, closeRest }: Running): Promise<void> {
  app.drain()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const impatience = setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS)
  await closed
  clearTimeout(impatience)
  await app.close()
  await closeRest()
}
