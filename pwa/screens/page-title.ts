import { useEffect } from 'react'

const name = 'Beaconry'

/** Names the page in the browser's tab and for screen readers; null while its name is not known yet. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null ? name : `${title} · ${name}`
  }, [title])
}
