import { useEffect, useRef } from 'react'

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

/** Another view in the place of the one before starts at its top, also for the keyboard. `loading` is no view. */
export function useStartAtTop(view: string): void {
  const before = useRef<string | null>(null)
  useEffect(() => {
    const was = before.current
    before.current = view
    if (was === null || was === 'loading' || was === view) return
    window.scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [view])
}
