import { useCallback, useState } from 'react'
import { readText, writeText } from '../browser/browser-storage.ts'

const keyOf = (name: string) => `beaconry/dismissed/${name}`

/** The answer is known at the first paint, so that the offer moves nothing that is already shown. */
export function useDismissal(name: string): { readonly dismissed: boolean; readonly dismiss: () => void } {
  const [dismissed, setDismissed] = useState(() => readText(keyOf(name)) !== null)
  const dismiss = useCallback(() => {
    setDismissed(true)
    writeText(keyOf(name), '1')
  }, [name])
  return { dismissed, dismiss }
}
