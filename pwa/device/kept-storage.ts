/** It is null where the browser does not say. */
export interface StorageUse {
  readonly usedBytes: number | null
  readonly freeBytes: number | null
  /** It is true if the browser has promised not to clear it without being asked. */
  readonly persistent: boolean | null
}

export async function readStorageUse(): Promise<StorageUse> {
  const storage = navigator.storage as StorageManager | undefined
  const [estimate, persistent] = await Promise.all([
    storage?.estimate().catch(() => undefined),
    storage?.persisted().catch(() => undefined),
  ])
  const { usage, quota } = estimate ?? {}
  return {
    usedBytes: usage ?? null,
    freeBytes: usage === undefined || quota === undefined ? null : Math.max(0, quota - usage),
    persistent: persistent ?? null,
  }
}

/** @returns whether the browser agreed */
export async function requestPersistence(): Promise<boolean> {
  return await navigator.storage.persist().catch(() => false)
}
