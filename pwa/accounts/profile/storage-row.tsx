import { useCallback, useEffect, useState } from 'react'
import { browserLimits } from '../../device/browser-limits.ts'
import { readStorageUse, requestPersistence, type StorageUse } from '../../device/kept-storage.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { FactRow } from './fact-row.tsx'

/** Writes '820 kB' or '3.4 MB' (decimal units). */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}

function persistenceText(persistent: boolean | null): string {
  if (persistent === null) return 'This browser does not say how safely it keeps it.'
  return persistent
    ? 'The browser keeps it until you remove it.'
    : browserLimits().clearsAfterWeek
      ? 'The browser may clear it when you do not open Beaconry for a week. On your home screen it is kept.'
      : 'The browser may clear it when the disk is full or Beaconry was not used for weeks.'
}

function useStorageUse(): { readonly use: StorageUse | null; readonly keep: () => Promise<boolean> } {
  const [use, setUse] = useState<StorageUse | null>(null)
  useEffect(() => void readStorageUse().then(setUse, () => undefined), [])
  const keep = useCallback(async () => {
    const persistent = await requestPersistence()
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
