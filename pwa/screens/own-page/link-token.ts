import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

const parameter = 'application'

/**
 * The token in the address of an applicant's own page, `?application=` or `#application=`; null when there is none.
 * Exported for its test.
 */
export function tokenIn({ search, hash }: { readonly search: string; readonly hash: string }): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get(parameter) ?? new URLSearchParams(search).get(parameter)
}

/** The same address with the token behind the `#`, which no browser sends to a server; null when it is nowhere else. */
export function withTokenInHash(address: { readonly search: string; readonly hash: string }): string | null {
  const query = new URLSearchParams(address.search)
  const token = query.get(parameter)
  if (token === null) return null
  query.delete(parameter)
  const rest = query.size > 0 ? `?${query}` : ''
  return `${rest}${hashOf(tokenIn(address) ?? token)}`
}

/** How a token stands in a link. */
export const hashOf = (token: string): string => `#${parameter}=${encodeURIComponent(token)}`

/**
 * The token of the link this page was opened by. One in the query is moved behind the `#` at once: the address can still be
 * copied, and neither a reload nor a link to somewhere else tells it to a server again.
 */
export function useLinkToken(): string | null {
  const location = useLocation()
  const navigate = useNavigate()
  const moved = withTokenInHash(location)
  useEffect(() => {
    if (moved !== null) void navigate(location.pathname + moved, { replace: true })
  }, [moved, location.pathname, navigate])
  return tokenIn(location)
}
