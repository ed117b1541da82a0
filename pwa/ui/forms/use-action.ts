import { useState } from 'react'
import { toastFailure } from './failure-toast.ts'

/** Returns whether an action is running, and how to run one. A failure shows a toast with `failedTitle`. */
export function useAction(
  failedTitle: string,
  prefix = '',
): readonly [boolean, (action: () => Promise<void>) => Promise<void>] {
  const [isRunning, setRunning] = useState(false)
  const run = async (action: () => Promise<void>) => {
    setRunning(true)
    await action().catch((error: unknown) => toastFailure(failedTitle, error, prefix))
    setRunning(false)
  }
  return [isRunning, run]
}
