import { isQuotaError } from '../browser/storage-errors.ts'

/** Says what happened, what is safe and what to do. */
export function saveFailureText(error: unknown): string {
  if (isQuotaError(error)) {
    return 'This device has no room left, so this was not saved. It is still on the screen: leave the page open, free some space (photos and downloads are quickest), then try again.'
  }
  return error instanceof Error ? error.message : String(error)
}
