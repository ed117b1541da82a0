import { scopes, type Scope } from '#shared/sync/collections.ts'
import type { Entry } from '../queue/entry.ts'

const maxPassed = 100

/** Each scope is written up to this version; a missing one was never pulled. */
export type Heads = Readonly<Partial<Record<Scope, number>>>

export type Progress = ReturnType<typeof createProgress>

export function createProgress() {
  let heads: Heads = {}
  let pulledSince: ReadonlySet<number> = new Set()
  const passed = new Set<string>()
  return {
    heads: () => heads,
    isComplete: () => scopes.every((scope) => heads[scope] !== undefined),
    /** Up to this version everything of the organizer's scope is written. */
    appliedVersion: () => heads.org ?? 0,
    reach(reached: Heads) {
      heads = reached
    },
    /** The copy is at this checkpoint of the organizer's scope. */
    passed(checkpoint: string) {
      passed.add(checkpoint)
      const [oldest] = passed
      if (passed.size > maxPassed && oldest !== undefined) passed.delete(oldest)
    },
    hasPassed: (checkpoint: string) => passed.has(checkpoint),
    /** @param asked the entries that the newest pull of the organizer's scope asked about */
    pulled(asked: ReadonlySet<number>) {
      pulledSince = asked
    },
    /** Never goes back. */
    follow(written: Heads) {
      const next: Partial<Record<Scope, number>> = { ...heads }
      for (const [scope, head] of Object.entries(written) as [Scope, number][])
        next[scope] = Math.max(head, heads[scope] ?? 0)
      heads = next
    },
    /** Only the absence of these counts. */
    pulledSince: () => pulledSince,
  }
}

interface AcknowledgedTerms {
  readonly progress: Pick<Progress, 'appliedVersion' | 'hasPassed'>
  readonly fetchSoon: () => void
  readonly settle: () => void
}

/**
 * Fetches what the server took, once per answer, whatever the stream is doing. A change whose document came before its
 * answer is settled, when the copy has been at the answer's checkpoint.
 */
export function watchAcknowledged({
  progress,
  fetchSoon,
  settle,
}: AcknowledgedTerms): (account: readonly Entry[]) => void {
  let fetchedFor: ReadonlySet<number> = new Set()
  const isHere = ({ acknowledged: { version, checkpoint } = { version: null, body: undefined } }: Entry) =>
    version !== null &&
    version <= progress.appliedVersion() &&
    (checkpoint === undefined || progress.hasPassed(checkpoint))
  return (account) => {
    const taken = account.filter(({ acknowledged }) => acknowledged !== undefined)
    const missing = taken.filter((entry) => !isHere(entry))
    const isNews = missing.some(({ seq }) => !fetchedFor.has(seq))
    fetchedFor = new Set(missing.map(({ seq }) => seq))
    if (isNews) fetchSoon()
    else if (taken.length > 0) settle()
  }
}
