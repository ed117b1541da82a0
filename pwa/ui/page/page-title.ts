import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

const name = 'Beaconry'

/** Sets the canonical address, too. Null means that the title is not known yet. */
export function usePageTitle(title: string | null): void {
  const { pathname } = useLocation()
  useEffect(() => {
    document.title = title === null ? name : `${title} · ${name}`
    showCanonical(pathname)
  }, [title, pathname])
}

/** The server sets it for the first page only. Query and fragment are left out. */
function showCanonical(pathname: string): void {
  let link = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
  if (!link) {
    link = document.createElement('link')
    link.rel = 'canonical'
    document.head.append(link)
  }
  const { origin } = new URL(link.href || location.href)
  link.href = origin + (pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname)
}
