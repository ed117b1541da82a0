import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { useIsPrinting } from '../../../ui/use-is-printing.ts'

/** Shorter lists are rendered whole: the browser's own search finds all of them. */
const shortList = 80

interface VirtualRow {
  readonly id: number
  readonly index: number
  /** Counts pixels since the row before, whose rows between are not rendered. */
  readonly before: number
}

interface VirtualRows {
  readonly rows: readonly VirtualRow[]
  readonly after: number
  readonly list: (element: HTMLElement | null) => void
  /** Each row takes it, and names its place in `data-index`. */
  readonly measure: ((element: HTMLElement | null) => void) | undefined
}

/** Tells where an element begins, from the top of the page. */
export function usePageTop(element: Element | null): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (!element) return
    const look = () => setTop(Math.round(element.getBoundingClientRect().top + scrollY))
    look()
    const watching = new ResizeObserver(look)
    watching.observe(document.body)
    return () => watching.disconnect()
  }, [element])
  return top
}

/**
 * Renders the rows near the window, in the page's own flow and scrolling.
 * @param currentId its row stays rendered, as does the one with the focus
 */
export function useVirtualRows(options: {
  ids: readonly number[]
  currentId: number | null
  estimate: number
  gap: number
  overscan: number
}): VirtualRows {
  const { ids, currentId, estimate, gap } = options
  // The rows in the window come first.
  const overscan = useDeferredValue(options.overscan, 1)
  // Paper does not scroll.
  const whole = useIsPrinting() || ids.length <= shortList
  const [element, setElement] = useState<HTMLElement | null>(null)
  const top = usePageTop(element)
  const focusedId = useRef<number>(NaN)

  useLayoutEffect(() => {
    if (!element) return
    const follow = ({ target }: FocusEvent) => {
      const row = target instanceof Element && target.closest('[data-row]')
      if (row) focusedId.current = Number(row.getAttribute('data-row'))
    }
    element.addEventListener('focusin', follow)
    return () => element.removeEventListener('focusin', follow)
  }, [element])

  // oxlint-disable-next-line react/incompatible-library -- The compiler is not in use.
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: ids.length,
    enabled: !whole,
    estimateSize: () => estimate,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    gap,
    overscan,
    scrollMargin: top,
    initialRect: { width: innerWidth, height: innerHeight },
    rangeExtractor: (range) => {
      const kept = [currentId ?? NaN, focusedId.current].map((id) => ids.indexOf(id)).filter((index) => index !== -1)
      return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((one, other) => one - other)
    },
  })
  if (whole) {
    const rows = ids.map((id, index) => ({ id, index, before: index === 0 ? 0 : gap }))
    return { list: setElement, rows, after: 0, measure: undefined }
  }
  let end = top
  const rows = virtualizer.getVirtualItems().map(({ index, start, end: itsEnd }) => {
    const before = start - end
    end = itsEnd
    return { id: ids[index] ?? 0, index, before }
  })
  const after = Math.max(0, top + virtualizer.getTotalSize() - end)
  return { list: setElement, rows, after, measure: virtualizer.measureElement }
}
