import { saveFailureText } from '../device/save-failure.ts'
import { type Entry, outbox, discardDurably, describeEntry } from '../sync/index.ts'
import { didNotWork } from '../ui/forms/failure-toast.ts'
import { toast } from '../ui/toast.ts'
import { copyText } from './change-content.ts'

const failed = (error: unknown) => didNotWork(new Error(`${saveFailureText(error)} The change is still here.`))

async function retry(entry: Entry): Promise<void> {
  const result = await outbox.retry(entry.seq)
  if (result === 'retried') toast({ title: 'Sending again', description: describeEntry(entry).labelAsMade })
}

async function giveOtherId(entry: Entry): Promise<void> {
  const result = await outbox.giveOtherId(entry.seq)
  if (result === 'resent') toast({ title: 'Sending again', description: describeEntry(entry).labelAsMade })
}

/** Each has a title, and the text before the change's label. */
const discarded = {
  cancelled: ['Cancelled', 'The server never carried it out'],
  'already-happened': ['Already happened', 'The server had carried it out before'],
  unknown: ['Will be cancelled', 'It may be on its way. The server is asked as soon as it can be reached'],
} as const

async function discard(entry: Entry): Promise<void> {
  const result = await discardDurably(entry)
  if (result === 'not-found') return
  if (result !== 'discarded') {
    const [title, text] = discarded[result]
    toast({ title, description: `${text}: ${describeEntry(entry).labelAsMade}` })
    return
  }
  const undo = { label: 'Undo', onClick: () => void outbox.putBack(entry).catch(failed) }
  toast({
    title: 'Discarded',
    description: describeEntry(entry).labelAsMade,
    // What waited behind another change is made again after it.
    action: entry.state === 'blocked' ? undefined : undo,
  })
}

async function retryAll(entries: readonly Entry[]): Promise<void> {
  for (const { seq } of entries) await outbox.retry(seq)
  toast({ title: 'Sending again', description: `${entries.length} changes` })
}

/** Begins with what waits behind others, so that nothing is sent because the change before it is gone. */
async function discardAll(entries: readonly Entry[]): Promise<void> {
  const discardedOnes: Entry[] = []
  for (const entry of entries.toReversed()) if ((await discardDurably(entry)) === 'discarded') discardedOnes.push(entry)
  const putBack = async () => {
    for (const entry of discardedOnes.toReversed()) await outbox.putBack(entry)
  }
  toast({
    title: 'Discarded',
    description: `${discardedOnes.length} changes`,
    action: { label: 'Undo', onClick: () => void putBack().catch(failed) },
  })
}

async function copy(entry: Entry): Promise<void> {
  await navigator.clipboard.writeText(copyText(entry))
  toast({ title: 'Copied', description: describeEntry(entry).labelAsMade })
}

/** Each shows its result in a toast. */
export const repairs = {
  retry: (entry: Entry) => void retry(entry).catch(failed),
  giveOtherId: (entry: Entry) => void giveOtherId(entry).catch(failed),
  retryAll: (entries: readonly Entry[]) => void retryAll(entries).catch(failed),
  discardAll: (entries: readonly Entry[]) => void discardAll(entries).catch(failed),
  discard: (entry: Entry) => void discard(entry).catch(failed),
  copy: (entry: Entry) => void copy(entry).catch(failed),
}
