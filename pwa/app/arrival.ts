import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

const storageKey = 'beaconry/scroll'
/** Enough for the way back of any visit. */
const mostPlaces = 50
/** How long a page may take to become as high as it was. */
const growthMs = 3_000

/** How far down each page of this tab's history was, by its place in the history. */
const places = new Map<string, number>(readPlaces())

function readPlaces(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as [string, number][]
  } catch {
    return []
  }
}

function keepPlaces(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...places].slice(-mostPlaces)))
  } catch {
    // Without storage the places last as long as the page.
  }
}

/** Goes to a height that the page may not have yet, unless the person moves first. @returns how to cancel it */
function goBackTo(y: number, onEnd: () => void): () => void {
  const signs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
  const reach = () => {
    scrollTo({ top: y, behavior: 'instant' })
    if (Math.abs(scrollY - y) < 2) end()
  }
  const growing = new ResizeObserver(reach)
  const patience = setTimeout(end, growthMs)
  function end(): void {
    growing.disconnect()
    clearTimeout(patience)
    for (const sign of signs) removeEventListener(sign, end)
    onEnd()
  }
  for (const sign of signs) addEventListener(sign, end, { passive: true })
  growing.observe(document.body)
  reach()
  return end
}

/** The heading may come later than the page; a focus that was moved meanwhile stays. @returns how to cancel it */
function focusHeading(main: HTMLElement): () => void {
  main.focus({ preventScroll: true })
  const focusOnce = () => {
    const heading = main.querySelector('h1')
    if (!heading && document.activeElement === main) return
    changing.disconnect()
    if (!heading || document.activeElement !== main) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const changing = new MutationObserver(focusOnce)
  changing.observe(main, { childList: true, subtree: true })
  focusOnce()
  return () => changing.disconnect()
}

/**
 * What a person expects of moving between pages: a new one starts at its top, Back and Forward return to where one was, and
 * the focus goes to the new page's heading, where a keyboard or screen reader goes on.
 */
export function useArrival(): void {
  const { key, pathname, hash } = useLocation()
  const isReturn = useNavigationType() === NavigationType.Pop
  const before = useRef<string | null>(null)

  useEffect(() => {
    history.scrollRestoration = 'manual'
    addEventListener('pagehide', keepPlaces)
    return () => removeEventListener('pagehide', keepPlaces)
  }, [])

  useLayoutEffect(() => {
    const place = `${key} ${pathname}`
    const isOtherPage = before.current !== null && before.current !== pathname
    before.current = pathname
    let returning = false
    let cancel = () => {}
    const remember = () => {
      if (returning) return
      places.delete(place)
      places.set(place, scrollY)
    }
    const there = places.get(place)
    if (isReturn && there !== undefined && hash === '') {
      returning = true
      cancel = goBackTo(there, () => (returning = false))
    } else if (isOtherPage && !isReturn) scrollTo({ top: 0, behavior: 'instant' })
    addEventListener('scroll', remember, { passive: true })
    return () => {
      removeEventListener('scroll', remember)
      cancel()
    }
  }, [key, pathname, hash, isReturn])

  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const main = document.getElementById('main')
    return main ? focusHeading(main) : undefined
  }, [pathname])
}
