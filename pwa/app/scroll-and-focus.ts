import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { readJson } from '../browser/kept-json.ts'
import { writeText } from '../browser/browser-storage.ts'

const storageKey = 'beaconry/scroll'
const maxPositions = 50
/** The page may take this long to reach its former height. */
const growthMs = 3_000

const positions = new Map((readJson(storageKey, 'sessionStorage') ?? []) as [string, number][])

const keepPositions = () => writeText(storageKey, JSON.stringify([...positions].slice(-maxPositions)), 'sessionStorage')

/** Scrolls to a height that the page may not have yet; input of the person stops it. @returns how to cancel it */
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

/** A focus that was moved since then stays. @returns how to cancel it */
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

/** New pages start at the top, Back and Forward restore the position. */
export function useScrollAndFocus(): void {
  const { key, pathname, hash } = useLocation()
  const isReturn = useNavigationType() === NavigationType.Pop
  const before = useRef<string | null>(null)

  useEffect(() => {
    history.scrollRestoration = 'manual'
    addEventListener('pagehide', keepPositions)
    return () => removeEventListener('pagehide', keepPositions)
  }, [])

  useLayoutEffect(() => {
    const page = `${key} ${pathname}`
    const isOtherPage = before.current !== null && before.current !== pathname
    before.current = pathname
    let returning = false
    let cancel = () => {}
    const remember = () => {
      if (returning) return
      positions.delete(page)
      positions.set(page, scrollY)
    }
    const there = positions.get(page)
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
