import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { isZipCode } from '#shared/places/zip-table.ts'
import { publicEvents } from '../../device/public-events.ts'
import { useZipCentre } from './zip-codes.ts'
import { useObservable } from '../../browser/observable.ts'
import { noFilters, readSearch, writeSearch, type Search, servedSearch, keyOf, textToAsk } from './served-search.ts'
import { findEvents, type Found } from './find-events.ts'

const typingMs = 300
/** Longer: two more digits will most likely follow. */
const halfZipMs = 1_200
/** Choices within this time are one history entry, as with arrow keys in a list. */
const sameStepMs = 1_500

/** In the address, so that a search can be shared and Back returns to it. */
export interface SearchControl {
  readonly search: Search
  /** The text boxes are ahead of the address. */
  readonly typed: { readonly text: string; readonly zipCode: string }
  type(text: string): void
  typeZip(zipCode: string): void
  finishTyping(): void
  choose(change: Partial<Search>): void
  clearFilters(): void
}

export function useSearch(): SearchControl {
  const [params, setParams] = useSearchParams()
  const address = params.toString()
  const search = useMemo(() => readSearch(new URLSearchParams(address)), [address])
  const [typed, setTyped] = useState({ text: search.text, zipCode: search.zipCode })
  const [shown, setShown] = useState({ address, own: address })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const step = useRef({ kind: '', atMs: 0 })
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (shown.own !== address) clearTimeout(timer.current)
  }, [shown.own, address])

  // Back, Forward or a link update the boxes; text typed here is ahead and stays.
  if (shown.address !== address) {
    setShown({ address, own: shown.own === address ? address : '' })
    if (shown.own !== address) setTyped({ text: search.text, zipCode: search.zipCode })
  }

  const go = (kind: keyof Search | 'clear', next: Search) => {
    clearTimeout(timer.current)
    const wanted = writeSearch(next)
    if (wanted === writeSearch(search)) return
    const atMs = Date.now()
    const goesOn = step.current.kind === kind && (kind === 'text' || atMs - step.current.atMs < sameStepMs)
    // The first letter of a search makes a history entry, the following ones do not.
    const replace = goesOn && !(kind === 'text' && search.text === '')
    step.current = { kind, atMs }
    setShown({ address, own: wanted })
    setParams(new URLSearchParams(wanted), { replace })
  }
  const goSoon = (kind: 'text' | 'zipCode', next: Search, inMs: number) => {
    clearTimeout(timer.current)
    const { pathname } = window.location
    timer.current = setTimeout(() => {
      // After leaving for a screen that still loads, this would navigate back.
      if (window.location.pathname === pathname) go(kind, next)
    }, inMs)
  }

  return {
    search,
    typed,
    type(text) {
      setTyped({ ...typed, text })
      goSoon('text', { ...search, ...typed, text }, typingMs)
    },
    typeZip(zipCode) {
      setTyped({ ...typed, zipCode })
      const next = { ...search, ...typed, zipCode }
      if (zipCode === '' || isZipCode(zipCode)) go('zipCode', next)
      else goSoon('zipCode', next, halfZipMs)
    },
    finishTyping() {
      go(typed.text === search.text ? 'zipCode' : 'text', { ...search, ...typed })
    },
    choose(change) {
      const [kind = 'state'] = Object.keys(change) as (keyof Search)[]
      if (change.text !== undefined || change.zipCode !== undefined)
        setTyped({ text: change.text ?? typed.text, zipCode: change.zipCode ?? typed.zipCode })
      go(kind, { ...search, ...typed, ...change })
    },
    clearFilters() {
      setTyped({ ...typed, zipCode: '' })
      go('clear', { ...search, text: typed.text, ...noFilters })
    },
  }
}

/**
 * Shows this device's matches until the server answers, which is asked for a text where the device does not hold every
 * event.
 * @param text as typed, ahead of the one in the address
 * @param now to the minute, to drop past events
 */
export function useEventSearch(
  { state, zipCode, radiusMiles, text: wanted }: Search,
  text: string,
  now: Date,
): { readonly found: Found; readonly reload: () => void } {
  const filters = useMemo(() => ({ state, zipCode, radiusMiles }), [state, zipCode, radiusMiles])
  const list = useObservable(publicEvents.known)
  const askedText = textToAsk(list.answer, wanted)
  const isServed = keyOf(filters, askedText) !== ''
  const asked = useMemo(() => servedSearch(filters, askedText), [filters, askedText])
  const served = useObservable(asked.known)
  const zip = useZipCentre(zipCode)
  const searched = useDeferredValue(text)
  useEffect(() => publicEvents.follow({}), [])
  useEffect(() => (isServed ? asked.follow({ reachable: 'after failure' }) : undefined), [isServed, asked])
  const found = useMemo(
    () => findEvents({ list, served, zip }, filters, searched, now),
    [list, served, zip, filters, searched, now],
  )
  return {
    found,
    reload: () => {
      void publicEvents.ask()
      if (isServed) void asked.ask()
    },
  }
}
