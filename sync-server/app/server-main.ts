import { withoutControls } from '#shared/text/plain-text.ts'
import { EXIT_CONFIG, loadConfig, readEnvironment, type Config } from '../config.ts'
import { DatabaseUnusable } from '../db/reach-database.ts'
import { PortUnavailable } from '../http/open-port.ts'
import { serve } from './serve.ts'

const loaded = loadConfig(readEnvironment())
if (loaded.ok) {
  await serveUntilSignalled(loaded.config).catch((error: unknown) => {
    if (error instanceof PortUnavailable) refuseToStart([error.message])
    else if (error instanceof DatabaseUnusable) refuseToStart([error.message], error.isSetting ? EXIT_CONFIG : 1)
    else throw error
  })
} else {
  refuseToStart(loaded.errors)
}

function refuseToStart(reasons: readonly string[], status = EXIT_CONFIG): void {
  process.stderr.write(withoutControls(`Beaconry cannot start:\n${reasons.map((reason) => `  ${reason}\n`).join('')}`))
  process.exitCode = status
}

/** Exits with 0 after SIGTERM or SIGINT; a second signal ends the process at once. */
async function serveUntilSignalled(config: Config): Promise<void> {
  const running = await serve(config, (text) => process.stdout.write(withoutControls(text)))
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    running.log.info({ signal }, 'stopping')
    running.stop().then(
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
