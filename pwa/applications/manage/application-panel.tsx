/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- Safari does not put a scrolling box into the Tab order. */
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { DetailsBody, DetailsDecision, DetailsHead, type ViewedProps } from './application-details.tsx'
import { fullName, workLine } from './shown-applicant.ts'
import { usePageTop } from './list/virtual-rows.ts'

/** Is next to the list, and keeps its focus from applicant to applicant. */
export function ApplicationPanel(props: ViewedProps & { place: string; onMove: (step: 1 | -1) => void }) {
  const { place, onMove, ...viewed } = props
  const { row, onClose } = viewed
  const { id } = row.application
  const [panel, setPanel] = useState<HTMLElement | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const shownId = useRef<number | null>(null)
  const top = usePageTop(panel?.parentElement ?? null)
  const titleId = useId()

  useLayoutEffect(() => {
    if (shownId.current === id) return
    const focused = document.activeElement
    const isHere = focused === document.body || focused?.closest('[data-details]')
    if (shownId.current === null || isHere) heading.current?.focus({ preventScroll: true })
    shownId.current = id
  })
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog:modal')) return
    // There it empties the search.
    if (event.target instanceof HTMLInputElement && event.target.value !== '') return
    onClose()
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  return (
    <dialog
      open
      ref={setPanel}
      aria-labelledby={titleId}
      data-details
      style={{ maxHeight: `max(20rem, calc(100dvh - ${top}px - 1rem))` }}
      className="no-print sticky top-[calc(var(--header-height)+var(--safe-top)+3.75rem)] m-0 flex w-full flex-col overflow-hidden rounded-box border border-base-300 bg-base-100 p-0 text-base-content"
    >
      <header className="flex flex-col gap-3 border-b border-base-300 p-4 pt-2">
        <div className="-mr-2 flex items-start">
          <div className="min-w-0 flex-1 pt-2">
            <h2 id={titleId} ref={heading} tabIndex={-1} className="text-xl break-words">
              {fullName(row.application)}
            </h2>
          </div>
          <span className="flex items-center text-sm text-muted tabular-nums">
            <span className="max-xl:hidden">{place}</span>
            <IconButton label="Previous applicant" title="K" onClick={() => onMove(-1)}>
              <ChevronUp className="size-5" />
            </IconButton>
            <IconButton label="Next applicant" title="J" onClick={() => onMove(1)}>
              <ChevronDown className="size-5" />
            </IconButton>
            <IconButton label="Close" title="Escape" onClick={onClose}>
              <X className="size-5" />
            </IconButton>
          </span>
        </div>
        <p className="-mt-3 text-sm break-words text-muted empty:hidden">{workLine(row.application)}</p>
        <DetailsHead {...viewed} />
        <DetailsDecision {...viewed} />
      </header>
      <section
        key={id}
        aria-labelledby={titleId}
        tabIndex={0}
        className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto p-4 -outline-offset-4"
      >
        <DetailsBody {...viewed} />
      </section>
    </dialog>
  )
}
