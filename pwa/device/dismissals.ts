import { useCallback, useState } from 'react'
import { readText, writeText } from '../sync/index.ts'

const keyOf = (name: string) => `beaconry/dismissed/${name}`

/** At the first paint, so that the offer moves nothing already shown. */
export function useDismissal(name: string): { readonly dismissed: boolean; readonly dismiss: () => void } {
  const [dismissed, setDismissed] = useState(() => readText(keyOf(name)) !== null)
  const dismiss = useCallback(() => {
    setDismissed(true)
    writeText(keyOf(name), '1')
  }, [name])
  return { dismissed, dismiss }
}
