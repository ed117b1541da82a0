import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { withoutPunctuation } from '#shared/site/mended-address.ts'
import { useOpenedApplications } from '../../device/opened-applications.ts'
import { idFrom, paths } from '../../paths.ts'
import type { SentApplication } from '../own-application.ts'

const parameter = 'application'

/** Reads `?application=` or `#application=`; it is null when there is none. A test needs it, too. */
export function tokenIn({ search, hash }: { readonly search: string; readonly hash: string }): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get(parameter) ?? new URLSearchParams(search).get(parameter)
  return token && withoutPunctuation(token)
}

/** Finds the own page's address in a pasted text; anything else is null. */
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
 * Finds the token of the application that this page's address means. A link carries the token itself, which moves
 * behind the `#` at once, because a reload or an outgoing link would send it to a server. As soon as the device keeps
 * the application, its id takes the token's place in the address, so that going back opens nothing that was removed
 * from the device. `looking` means that the device is still being read.
 */
export function useLinkToken(sent: readonly SentApplication[]): {
  readonly token: string | null
  readonly looking: boolean
} {
  const location = useLocation()
  const navigate = useNavigate()
  const kept = useOpenedApplications()
  const followed = tokenIn(location)
  const id = idFrom(new URLSearchParams(location.search).get('own') ?? undefined)
  const opened = kept?.find(({ token }) => token === followed)?.known.value
  const isSent = new URLSearchParams(location.search).has(parameter)
  const moved = followed !== null && isSent ? location.pathname + hashOf(followed) : null
  const to = opened ? paths.ownApplication(opened.eventId, opened.id) : moved
  useEffect(() => {
    if (to !== null) void navigate(to, { replace: true })
  }, [to, navigate])
  const known = kept?.find(({ known: { value } }) => value.id === id) ?? sent.find((one) => one.id === id)
  const token = followed ?? known?.token ?? null
  return { token, looking: id !== null && token === null && kept === undefined }
}
