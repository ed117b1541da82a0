import { useEffect, useState } from 'react'

/** Says how an iPhone or iPad adds the app, and what stays behind when it does. */
export function HomeScreenSteps() {
  const [stays, setStays] = useState<string | null>(null)
  useEffect(() => {
    void import('../../device/kept-in-browser.ts')
      .then(async ({ findKeptInBrowser, staysText }) => setStays(staysText(await findKeptInBrowser())))
      .catch(() => undefined)
  }, [])
  return <>Tap Share, then Add to Home Screen. {stays}</>
}
