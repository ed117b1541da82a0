import { useEffect, useRef } from 'react'

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
