import { useCallback, useState } from 'react'

const keyOf = (name: string) => `beaconry/dismissed/${name}`

function isDismissed(name: string): boolean {
  try {
    return localStorage.getItem(keyOf(name)) !== null
  } catch {
    return false
  }
}

/**
 * Whether an offer was declined on this device, known at the first paint, so that the offer never moves what is already
 * shown. A declined offer does not come back, except after the device's storage was cleared. Where the browser gives no
 * storage it lasts as long as the page.
 */
export function useDismissal(name: string): { readonly dismissed: boolean; readonly dismiss: () => void } {
  const [dismissed, setDismissed] = useState(() => isDismissed(name))
  const dismiss = useCallback(() => {
    setDismissed(true)
    try {
      localStorage.setItem(keyOf(name), '1')
    } catch {
      // Declined for this page only.
    }
  }, [name])
  return { dismissed, dismiss }
}
