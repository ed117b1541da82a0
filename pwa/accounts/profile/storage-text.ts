/** Bytes as people count them: '820 kB', '3.4 MB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}

/** Whether the browser may clear it, in a sentence. */
export function persistenceText(persistent: boolean | null): string {
  if (persistent === null) return 'This browser does not say how safely it keeps it.'
  return persistent
    ? 'The browser keeps it until you remove it.'
    : 'The browser may clear it when the disk is full or Beaconry was not used for weeks.'
}
