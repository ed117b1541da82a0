import { useDeferredValue, useEffect, useMemo, useSyncExternalStore } from 'react'
import { call } from '../../api/call.ts'
import { useObservable } from '../../api/observable.ts'
import { findEvents, type Found } from './find-events.ts'
import { eventsSource } from '../../browse/public-source.ts'
import { createServedSearch, keyOf, type EventFilters } from './served-search.ts'
import { useZipCentre } from '../../browse/zip-codes.ts'

const search = createServedSearch((query, signal) => call('listEvents', { query, signal }))

/**
 * Searches upcoming events, by start date then name: what this device knows at once, then what the server answers, and without
 * a network what this device knows.
 * @param now to the minute: events drop out when they are over
 */
export function useEventSearch(
  { state, zipCode, radiusMiles }: EventFilters,
  text: string,
  now: Date,
): { readonly found: Found; readonly reload: () => void } {
  const filters = useMemo(() => ({ state, zipCode, radiusMiles }), [state, zipCode, radiusMiles])
  const source = eventsSource()
  const list = useSyncExternalStore(source.subscribe, source.get)
  const served = useObservable(search.newest)
  const zip = useZipCentre(zipCode)
  const searched = useDeferredValue(text)
  useEffect(() => void source.load(), [source])
  useEffect(() => {
    if (keyOf(filters) !== '') void search.ask(filters)
  }, [filters])
  const found = useMemo(
    () => findEvents({ list, served, zip }, filters, searched, now),
    [list, served, zip, filters, searched, now],
  )
  return {
    found,
    reload: () => {
      void source.load()
      if (keyOf(filters) !== '') void search.ask(filters)
    },
  }
}
