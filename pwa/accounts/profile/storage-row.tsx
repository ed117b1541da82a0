import { useCallback, useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { FactRow } from './fact-row.tsx'

/** '820 kB', '3.4 MB' (decimal units) */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}

function persistenceText(persistent: boolean | null): string {
  if (persistent === null) return 'This browser does not say how safely it keeps it.'
  return persistent
    ? 'The browser keeps it until you remove it.'
    : 'The browser may clear it when the disk is full or Beaconry was not used for weeks.'
}

/** Null where the browser does not say. */
interface StorageUse {
  readonly usedBytes: number | null
  /** Whether the browser has promised not to clear it by itself. */
  readonly persistent: boolean | null
}

async function readStorageUse(): Promise<StorageUse> {
  const storage = navigator.storage as StorageManager | undefined
  const [estimate, persistent] = await Promise.all([
    storage?.estimate().catch(() => undefined),
    storage?.persisted().catch(() => undefined),
  ])
  return { usedBytes: estimate?.usage ?? null, persistent: persistent ?? null }
}

function useStorageUse(): { readonly use: StorageUse | null; readonly keep: () => Promise<boolean> } {
  const [use, setUse] = useState<StorageUse | null>(null)
  useEffect(() => void readStorageUse().then(setUse, () => undefined), [])
  const keep = useCallback(async () => {
    const persistent = await navigator.storage.persist().catch(() => false)
    setUse(await readStorageUse())
    return persistent
  }, [])
  return { use, keep }
}

export function StorageRow() {
  const { use, keep } = useStorageUse()
  const ask = async () => {
    if (await keep()) toast({ title: 'The browser keeps your data' })
    else {
      toast({
        title: 'The browser did not agree',
        description: 'Most browsers do once the app is installed or its alerts are on.',
      })
    }
  }
  return (
    <FactRow
      term="Kept here"
      action={
        use?.persistent === false && (
          <Button variant="secondary" onClick={() => void ask()}>
            Keep It Safe
          </Button>
        )
      }
    >
      {use === null ? '…' : use.usedBytes === null ? 'Your events and applicants' : formatBytes(use.usedBytes)}
      <p className="text-sm text-muted">{use ? persistenceText(use.persistent) : '…'}</p>
    </FactRow>
  )
}
