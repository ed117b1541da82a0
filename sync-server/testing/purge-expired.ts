import type { Knex } from 'knex'
import { expirySteps } from '../sync/purge.ts'

type Counts = { readonly [Step in keyof typeof expirySteps]: number }

/** Takes the steps that remove what is of no use any more; answers how many rows each removed. The first failure is thrown. */
export async function purgeExpired(db: Knex, now: Date): Promise<Counts> {
  const counts: Record<string, number> = {}
  for (const [name, step] of Object.entries(expirySteps)) counts[name] = await step(db, now)
  return counts as Counts
}
