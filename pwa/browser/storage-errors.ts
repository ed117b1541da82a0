/** Some browsers wrap the error of a full disk in an AbortError. */
export function isQuotaError(error: unknown): boolean {
  for (let depth = 0, inner = error; depth < 5 && typeof inner === 'object' && inner !== null; depth++) {
    const { name, message } = inner as { name?: unknown; message?: unknown; inner?: unknown }
    if (name === 'QuotaExceededError' || (typeof message === 'string' && message.includes('QuotaExceeded'))) return true
    inner = (inner as { inner?: unknown }).inner
  }
  return false
}

/** iOS cuts the connection of an app in the background; the next use fails, opening again helps. */
export function isDeadConnection(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, message } = error as { name?: unknown; message?: unknown }
  return (
    name === 'DatabaseClosedError' ||
    name === 'InvalidStateError' ||
    (name === 'UnknownError' && typeof message === 'string' && /connection|closing|lost/i.test(message))
  )
}

/** What says that the storage, and not the change, is at fault. */
export function isStorageError(error: unknown): boolean {
  if (isQuotaError(error) || isDeadConnection(error)) return true
  const { name } = Object(error) as { name?: unknown }
  return ['AbortError', 'UnknownError', 'TimeoutError', 'SecurityError', 'NotFoundError', 'OpenFailedError'].includes(
    String(name),
  )
}
