import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useObservable } from '../../sync/index.ts'
import { allowAgain, forgottenTokens, isForgotten, wasFollowed } from '../../device/forgotten-tokens.ts'
import { readTold } from '../../device/told-applications.ts'

const parameter = 'application'
/** Push messages hold no token, but an application's number, whose token this device knows. */
const toldParameter = 'told'

/** Reads `?application=` or `#application=`; null when there is none. Exported for its test. */
export function tokenIn({ search, hash }: { readonly search: string; readonly hash: string }): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get(parameter) ?? new URLSearchParams(search).get(parameter)
}

/** Moves the token behind the `#`, which is never sent to a server; null when there is nothing to move. */
export function withTokenInHash(address: { readonly search: string; readonly hash: string }): string | null {
  const query = new URLSearchParams(address.search)
  const token = query.get(parameter)
  if (token === null) return null
  query.delete(parameter)
  const rest = query.size > 0 ? `?${query}` : ''
  return `${rest}${hashOf(tokenIn(address) ?? token)}`
}

// Before the first render: following the link shows a removed application again.
if (typeof location !== 'undefined' && wasFollowed()) allowAgain(tokenIn(location) ?? '')

/** The own page's address in a pasted text; null for anything else. */
export function ownPageIn(pasted: string, origin: string): string | null {
  const address = /https?:\/\/\S+/.exec(pasted)?.[0]
  if (address === undefined || !URL.canParse(address)) return null
  const { origin: from, pathname, search, hash } = new URL(address)
  const token = tokenIn({ search, hash })
  return from === origin && token !== null && /^\/events\/\d{1,12}\/apply$/.test(pathname)
    ? pathname + hashOf(token)
    : null
}

export const hashOf = (token: string): string => `#${parameter}=${encodeURIComponent(token)}`

/**
 * The token of the link that opened this page. In the query it moves behind the `#` at once: a reload or an outgoing
 * link would send it to a server. For a push message it is looked up on this device (`looking`).
 */
export function useLinkToken(): { readonly token: string | null; readonly looking: boolean } {
  const location = useLocation()
  const navigate = useNavigate()
  const moved = withTokenInHash(location)
  const told = new URLSearchParams(location.search).get(toldParameter)
  const inAddress = tokenIn(location)
  const forgotten = isForgotten(inAddress ?? '', useObservable(forgottenTokens))
  useEffect(() => {
    if (moved !== null) void navigate(location.pathname + moved, { replace: true })
  }, [moved, location.pathname, navigate])
  useEffect(() => {
    if (told === null) return
    let gone = false
    readTold()
      .then((known) => known[told]?.token)
      .catch(() => undefined)
      .then(
        (token) => gone || navigate(location.pathname + (token === undefined ? '' : hashOf(token)), { replace: true }),
      )
      .catch(() => undefined)
    return () => {
      gone = true
    }
  }, [told, location.pathname, navigate])
  useEffect(() => {
    if (forgotten) void navigate(location.pathname, { replace: true })
  }, [forgotten, location.pathname, navigate])
  return { token: forgotten ? null : inAddress, looking: told !== null }
}
