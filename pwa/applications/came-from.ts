import { useEffect } from 'react'
import { requestFor } from '#shared/contract/request.ts'
import type { ViewSource } from '#shared/events/view-source.ts'
import { reachability } from '../sync/index.ts'

const searchEngines =
  /^([a-z]+\.search\.|search\.|www\.|m\.)?(google|bing|duckduckgo|ecosia|yahoo|yandex|baidu|qwant|startpage|kagi|brave)\.[a-z.]+$/

/**
 * @param search of the page's address: links of the app say there where they stood
 * @param referrer of the document
 * @param ownHost of the app
 */
export function viewSourceOf(search: string, referrer: string, ownHost: string): ViewSource {
  const named = new URLSearchParams(search).get('from')
  if (named === 'qr' || named === 'share') return named
  const host = URL.canParse(referrer) ? new URL(referrer).host : ownHost
  if (host === ownHost) return 'direct'
  return searchEngines.test(host) ? 'search' : 'site'
}

/** The key is the event. It is in memory alone: nothing about a visit is kept on the device. */
const cameFrom = new Map<number, ViewSource>()

/** It is undefined when this visit has not come to the event's public pages. */
export const cameFromOf = (eventId: number): ViewSource | undefined => cameFrom.get(eventId)

/** Counts one view for each visit; the server leaves out the event's organizer. */
export function useView(eventId: number): void {
  useEffect(() => {
    if (cameFrom.has(eventId)) return
    const from = viewSourceOf(location.search, document.referrer, location.host)
    cameFrom.set(eventId, from)
    if (reachability.get() === 'unreachable') return
    const { method, url } = requestFor('countView', { id: eventId })
    const type = { 'Content-Type': 'application/json' }
    // Content blockers refuse `sendBeacon`. This goes on, too, when the page is left.
    void fetch(url, { method, headers: type, body: JSON.stringify({ from }), keepalive: true }).catch(() => undefined)
  }, [eventId])
}
