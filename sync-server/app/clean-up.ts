import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { mergeDailySums } from '../admin/daily-sums.ts'
import { archiveApplications } from '../applications/archive.ts'
import type { CleanUpStep } from '../db/lots.ts'
import { sumOldViews } from '../events/sum-views.ts'
import { cleanUpSucceededAt } from '../http/operation.ts'
import { purgeJobs } from '../jobs/job-queue.ts'
import { giveUpStaleMails, purgeMails } from '../mail/mail-delivery.ts'
import { deleteDueAccounts } from '../personal-data/delete-account.ts'
import { purgeApplications } from '../personal-data/purge-applications.ts'
import { expirySteps } from '../sync/purge.ts'

/** The names are those of the metric, and docs/operating.md explains them. */
export const cleanUpSteps: Readonly<Record<string, CleanUpStep>> = {
  accounts: deleteDueAccounts,
  applications: purgeApplications,
  archived: archiveApplications,
  ...expirySteps,
  jobs: purgeJobs,
  staleMails: giveUpStaleMails,
  mails: purgeMails,
  dailySums: mergeDailySums,
  views: sumOldViews,
}

export interface CleanUpOptions {
  readonly steps?: Readonly<Record<string, CleanUpStep>>
  /** A step that takes longer goes on in the next turn. */
  readonly maxStepMs?: number
  readonly isStopped?: () => boolean
}

/**
 * One turn: each step for itself, so that none keeps another from its work. A step that fails or is cut short has kept
 * what its lots did.
 */
export async function cleanUp(
  db: Knex,
  log: Logger,
  { steps = cleanUpSteps, maxStepMs = 300_000, isStopped = () => false }: CleanUpOptions = {},
): Promise<void> {
  for (const [step, run] of Object.entries(steps)) {
    const until = performance.now() + maxStepMs
    let isCut = false
    const mayGoOn = () => {
      isCut = isStopped() || performance.now() >= until
      return !isCut
    }
    try {
      const rows = await run(db, new Date(), mayGoOn)
      if (!isCut) cleanUpSucceededAt.set({ step }, Date.now() / 1000)
      if (rows > 0 || isCut) log.info({ step, rows, isCut }, 'removed what has expired')
    } catch (error) {
      log.warn({ err: error, step }, 'a step of the clean-up failed and goes on in the next turn')
    }
  }
}

const turnMs = 3_600_000

/** The first turn is at the start, for a server that is restarted daily. The answer ends it after the present lot. */
export function startCleanUp(db: Knex, log: Logger): () => Promise<void> {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let turn = Promise.resolve()
  // A step that never succeeds is seen as well.
  for (const step of Object.keys(cleanUpSteps)) cleanUpSucceededAt.set({ step }, 0)
  const take = () => {
    turn = cleanUp(db, log, { isStopped: () => isStopped }).then(() => {
      if (!isStopped) timer = setTimeout(take, turnMs)
    })
  }
  take()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await turn
  }
}
