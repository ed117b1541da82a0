import { useState } from 'react'
import { serverNow, type EventRow } from '../../sync/index.ts'
import { announce } from '../../ui/live-region.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { probeAll } from './probes.ts'
import { verdictOf, type ReadyFacts } from './ready-lines.ts'
import { appVersion, keepResult } from './ready-results.ts'
import { verdictWords } from './ready-words.ts'

/** Runs the check of an event and keeps its result. `facts` is null before the first one on this page. */
export function useReadyCheck(
  { event }: EventRow,
  userId: number,
): {
  readonly facts: Partial<ReadyFacts> | null
  readonly isChecking: boolean
  readonly check: () => Promise<void>
} {
  const [facts, setFacts] = useState<Partial<ReadyFacts> | null>(null)
  const [isChecking, run] = useAction('The check stopped')
  const check = () =>
    run(async () => {
      setFacts({})
      const found = await probeAll({ eventId: event.id, userId }, (more) =>
        setFacts((known) => ({ ...known, ...more })),
      )
      const checkedAt = serverNow().toISOString()
      await keepResult(userId, event.id, { facts: found, checkedAt, appVersion, eventVersion: event.version })
      announce(verdictWords(verdictOf(found)))
    })
  return { facts, isChecking, check }
}
