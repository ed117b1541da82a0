import type { Logger } from 'pino'
import { passingTroubleOf, ProblemError, unreadableValueOf } from './problems.ts'

const quietMs = 60_000

const saidAtMs = new WeakMap<Logger, Map<string, number>>()

/** Trouble that passes meets every request alike, so it is one warning for each cause and minute. */
export function logFailure(
  log: Logger,
  error: unknown,
  { message, ...about }: Readonly<Record<string, unknown>> & { readonly message: string },
  nowMs = performance.now(),
): void {
  if (error instanceof ProblemError && error.status < 500) return
  const cause = causeOf(error)
  if (cause === undefined) return log.error({ ...about, err: error }, message)
  const said = saidAtMs.get(log) ?? new Map<string, number>()
  saidAtMs.set(log, said)
  if (nowMs - (said.get(cause) ?? -Infinity) < quietMs) return
  said.set(cause, nowMs)
  log.warn({ ...about, err: error }, message)
}

function causeOf(error: unknown): string | undefined {
  if (error instanceof ProblemError) return error.code === 'unavailable' ? error.message : undefined
  return passingTroubleOf(error) ?? unreadableValueOf(error)
}
