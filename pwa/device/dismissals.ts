import { useCallback, useEffect, useState } from 'react'
import { readSetting, writeSetting } from './device-db.ts'

const settingOf = (name: string) => `dismissed/${name}`

/**
 * Whether an offer was declined on this device; undefined until the disk was asked. A declined offer does not come back,
 * except after the device's storage was cleared.
 */
export function useDismissal(name: string): { readonly dismissed: boolean | undefined; readonly dismiss: () => void } {
  const [dismissed, setDismissed] = useState<boolean>()
  useEffect(() => {
    let gone = false
    readSetting<boolean>(settingOf(name))
      .catch(() => undefined)
      .then((kept) => gone || setDismissed(kept === true))
      .catch(() => undefined)
    return () => {
      gone = true
    }
  }, [name])
  const dismiss = useCallback(() => {
    setDismissed(true)
    writeSetting(settingOf(name), true).catch(() => undefined)
  }, [name])
  return { dismissed, dismiss }
}
