import { useCallback, useEffect, useState } from 'react'

/** What the browser says about what is kept here; null where it does not say. */
export interface StorageUse {
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

/** How much is kept on this device and how safely; null until the browser has answered. `keep` asks it not to clear it. */
export function useStorageUse(): { readonly use: StorageUse | null; readonly keep: () => Promise<boolean> } {
  const [use, setUse] = useState<StorageUse | null>(null)
  useEffect(() => {
    let gone = false
    readStorageUse().then(
      (read) => gone || setUse(read),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [])
  const keep = useCallback(async () => {
    const persistent = await navigator.storage.persist().catch(() => false)
    setUse(await readStorageUse())
    return persistent
  }, [])
  return { use, keep }
}
