import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'

/**
 * Writes JSON lines without bodies, names, addresses, tokens or query strings. PostgreSQL quotes the offending row in
 * `detail` and often in its message, so database errors lose both.
 */
export function createLogger(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = { level, base: null, serializers: { err: describeError } }
  return destination ? pino(options, destination) : pino(options)
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, table, constraint, severity } = error as Error & {
    code?: unknown
    table?: unknown
    constraint?: unknown
    severity?: unknown
  }
  const fromDatabase = typeof severity === 'string'
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...(fromDatabase ? { table, constraint } : { message: error.message }),
    ...(code === undefined ? {} : { code }),
    stack: frames.slice(0, 12).map((line) => line.trim()),
  }
}
