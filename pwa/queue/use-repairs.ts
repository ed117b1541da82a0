import { useMemo } from 'react'
import { saveFailureText } from '../device/save-failure.ts'
import type { Entry } from '../outbox/entry.ts'
import { labelOf } from '../outbox/mutations/mutations.ts'
import { outbox } from '../outbox/outbox.ts'
import { discardDurably } from '../session/pending-discards.ts'
import { toast } from '../ui/toast.ts'
import { copyText } from './change-content.ts'

/** What a person can do about a queued change. Each says in a toast what came of it. */
export interface Repairs {
  readonly retry: (entry: Entry) => void
  readonly discard: (entry: Entry) => void
  readonly copy: (entry: Entry) => void
}

function failed(error: unknown): void {
  toast({
    title: 'That did not work',
    description: `${saveFailureText(error)} The change is still here.`,
    variant: 'destructive',
  })
}

async function retry(entry: Entry): Promise<void> {
  const result = await outbox.retry(entry.seq)
  if (result === 'retried') toast({ title: 'Sending again', description: labelOf(entry) })
}

async function discard(entry: Entry): Promise<void> {
  const label = labelOf(entry)
  switch (await discardDurably(entry)) {
    case 'discarded':
      toast({
        title: 'Discarded',
        description: label,
        // Only a refused change can stand again where it stood; one that never left is simply made anew.
        action:
          entry.state === 'parked'
            ? { label: 'Undo', onClick: () => void outbox.putBack(entry).catch(failed) }
            : undefined,
      })
      return
    case 'cancelled':
      toast({ title: 'Cancelled', description: `The server never carried it out: ${label}` })
      return
    case 'already-happened':
      toast({ title: 'Already happened', description: `The server had carried it out before: ${label}` })
      return
    case 'unknown':
      toast({
        title: 'Will be cancelled',
        description: `It may be on its way. The server is asked as soon as it can be reached: ${label}`,
      })
      return
    case 'not-found':
  }
}

async function copy(entry: Entry): Promise<void> {
  await navigator.clipboard.writeText(copyText(entry))
  toast({ title: 'Copied', description: labelOf(entry) })
}

export function useRepairs(): Repairs {
  return useMemo(
    () => ({
      retry: (entry) => void retry(entry).catch(failed),
      discard: (entry) => void discard(entry).catch(failed),
      copy: (entry) => void copy(entry).catch(failed),
    }),
    [],
  )
}
