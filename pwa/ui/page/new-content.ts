import { useEffect, useRef } from 'react'

/** Scrolls up and focuses the heading, for content replaced without navigation. */
export function useNewContent(): void {
  useEffect(() => {
    scrollTo({ top: 0, behavior: 'instant' })
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [])
}

/** Scrolls up and moves the focus when the view changes. `loading` is no view. */
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
