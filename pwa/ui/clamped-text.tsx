import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'

/**
 * A long text that begins with a few lines on a phone, and shows the rest on request; wide screens show all of it. `about`
 * completes the button's name for those who do not see what it stands below.
 */
export function ClampedText({
  children,
  about,
  className = '',
}: {
  children: string
  about: string
  className?: string
}) {
  const text = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const element = text.current
    if (!element || open) return
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight + 1)
    measure()
    const watching = new ResizeObserver(measure)
    watching.observe(element)
    return () => watching.disconnect()
  }, [open])
  return (
    <>
      <p ref={text} className={`whitespace-pre-line ${open ? '' : 'line-clamp-5 sm:line-clamp-none'} ${className}`}>
        {children}
      </p>
      {(overflows || open) && (
        <Button
          variant="ghost"
          size="small"
          className="-ml-3 sm:hidden"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show more'}
          <span className="sr-only"> {about}</span>
        </Button>
      )}
    </>
  )
}
