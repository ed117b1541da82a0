import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** What the address asks for: a new password, confirming an address, or neither. */
export interface AccountLink {
  readonly view: 'reset' | 'verify'
  /** Null when only the name of the page is left of the link. */
  readonly token: string | null
}

/** The link in the part of an address behind the `#`, as mails write it; exported for its test. */
export function linkIn(hash: string): AccountLink | null {
  const [, view, token] = /^#(reset|verify)(?:=(.*))?$/.exec(hash) ?? []
  return view === 'reset' || view === 'verify' ? { view, token: token || null } : null
}

const keptToken = (state: unknown): string | null => {
  const token = (state as { readonly linkToken?: unknown } | null)?.linkToken
  return typeof token === 'string' ? token : null
}

/**
 * The link this page was opened by. Its token leaves the address at once, so that it is neither copied nor shown along; this
 * tab remembers it, so that a reload or a password manager's app in between loses nothing.
 */
export function useAccountLink(): AccountLink | null {
  const { hash, state, pathname } = useLocation()
  const navigate = useNavigate()
  const link = linkIn(hash)
  const [view, token] = [link?.view, link?.token]
  useEffect(() => {
    if (view === undefined || token == null) return
    void navigate({ pathname, hash: view }, { replace: true, state: { linkToken: token } })
  }, [view, token, pathname, navigate])
  return link && { view: link.view, token: link.token ?? keptToken(state) }
}
