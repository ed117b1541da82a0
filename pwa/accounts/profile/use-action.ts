import { useState } from 'react'
import { toast } from '../../ui/toast.ts'

/** Returns whether an action is running, and how to run one. A failure shows a toast with `failedTitle`. */
export function useAction(failedTitle: string): readonly [boolean, (action: () => Promise<void>) => Promise<void>] {
  const [isRunning, setRunning] = useState(false)
  const run = async (action: () => Promise<void>) => {
    setRunning(true)
    try {
      await action()
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error)
      toast({ variant: 'destructive', title: failedTitle, description })
    } finally {
      setRunning(false)
    }
  }
  return [isRunning, run]
}
