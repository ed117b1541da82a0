import { useCallback, useEffect, useState } from 'react'

/** The database comes after the first paint: no offer is part of it. */
const database = () => import('./device-db.ts')

const settingOf = (name: string) => `dismissed/${name}`

/**
 * Whether an offer was declined on this device; undefined until the disk was asked. A declined offer does not come back,
 * except after the device's storage was cleared.
 */
export function useDismissal(name: string): { readonly dismissed: boolean | undefined; readonly dismiss: () => void } {
  const [dismissed, setDismissed] = useState<boolean>()
  useEffect(() => {
    let gone = false
    database()
      .then(({ readSetting }) => readSetting<boolean>(settingOf(name)))
      .catch(() => undefined)
      .then((kept) => gone || setDismissed(kept === true))
      .catch(() => undefined)
    return () => {
      gone = true
    }
  }, [name])
  const dismiss = useCallback(() => {
    setDismissed(true)
    database()
      .then(({ writeSetting }) => writeSetting(settingOf(name), true))
      .catch(() => undefined)
  }, [name])
  return { dismissed, dismiss }
}
