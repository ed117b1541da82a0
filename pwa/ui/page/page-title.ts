import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

const name = 'Beaconry'

/** Names the page in the browser's tab and for screen readers, and says which address is its own. Null while its name is not known yet. */
export function usePageTitle(title: string | null): void {
  const { pathname } = useLocation()
  useEffect(() => {
    document.title = title === null ? name : `${title} · ${name}`
    showCanonical(pathname)
  }, [title, pathname])
}

/** The server says it for the first page only. Neither query nor fragment belongs to a page's own address. */
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
