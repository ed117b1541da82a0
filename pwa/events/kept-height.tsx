import { type ReactNode, useEffect, useRef } from 'react'
import { writeText } from '../browser/browser-storage.ts'
import { readJson } from '../browser/kept-json.ts'

interface Kept {
  /** Both are in CSS pixels; `width` is the window's. */
  readonly width: number
  readonly height: number
}

/**
 * While its content is loaded it is as high as that was the last time in a window of this width, so that what is below
 * stays where it is.
 * @param props.name under which the height is in localStorage
 */
export function KeptHeight(props: { name: string; loading: boolean; children: ReactNode }) {
  const { name, loading, children } = props
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (loading || !element) return
    const keep = () =>
      writeText(name, JSON.stringify({ width: innerWidth, height: element.offsetHeight } satisfies Kept))
    const watching = new ResizeObserver(keep)
    watching.observe(element)
    return () => watching.disconnect()
  }, [name, loading])
  const kept = loading ? (readJson(name) as Kept | undefined) : undefined
  return (
    <div ref={place} className="flow-root" style={kept?.width === innerWidth ? { minHeight: kept.height } : undefined}>
      {children}
    </div>
  )
}
