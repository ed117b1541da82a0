import { useEffect } from 'react'

/** A page whose content was replaced without going elsewhere starts at its top again, with the focus on its heading. */
export function useNewContent(): void {
  useEffect(() => {
    scrollTo({ top: 0, behavior: 'instant' })
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [])
}
