import { saveFailureText } from '../../device/save-failure.ts'
import { toast } from '../toast.ts'

/** `prefix` precedes the reason. */
export function toastFailure(title: string, error: unknown, prefix = ''): void {
  toast({ variant: 'destructive', title, description: prefix + saveFailureText(error) })
}

export const didNotWork = (error: unknown): void => toastFailure('That did not work', error)
