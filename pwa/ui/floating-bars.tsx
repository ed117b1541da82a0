import { X, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'

/** Above a phone's lower edge; the cross clears the selection. */
export function SelectionBar(props: {
  label: ReactNode
  action?: ReactNode
  children: ReactNode
  /** Makes room for the undo bar below. */
  raised?: boolean | undefined
  onClose: () => void
}) {
  const { label, action, children, raised = false, onClose } = props
  return (
    <section
      aria-label="Selection"
      data-floating
      className={`no-print pointer-events-none fixed right-(--panel-width,0px) bottom-0 left-0 z-30 flex justify-center px-[calc(0.75rem+var(--safe-x))] pt-3 ${raised ? 'pb-[calc(5.75rem+var(--safe-bottom))]' : 'pb-[calc(0.75rem+var(--safe-bottom))]'}`}
    >
      <div className="pointer-events-auto flex w-full max-w-2xl animate-enter-up flex-wrap items-center gap-2 rounded-box border border-edge bg-base-100 p-2 shadow-float">
        <IconButton label="Stop selecting" onClick={onClose}>
          <X className="size-5" />
        </IconButton>
        <output className="min-w-0 flex-1 font-medium tabular-nums">{label}</output>
        {action}
        <div className="flex gap-2 max-sm:basis-full max-sm:[&>*]:flex-1">{children}</div>
      </div>
    </section>
  )
}

/** @param elapsedMs of the whole undo time; the owner removes the bar at the end */
export function UndoBar(props: { text: ReactNode; onUndo: () => void; durationMs: number; elapsedMs: number }) {
  const { text, onUndo, durationMs, elapsedMs } = props
  const timing = {
    '--undo-duration': `${durationMs}ms`,
    animationDuration: `${durationMs}ms`,
    animationDelay: `-${elapsedMs}ms`,
  }
  return (
    <div className="no-print hall pointer-events-none fixed right-(--panel-width,0px) bottom-0 left-0 z-40 flex justify-center px-[calc(0.75rem+var(--safe-x))] pt-3 pb-[calc(0.75rem+var(--safe-bottom))]">
      <div className="pointer-events-auto flex w-full max-w-md animate-enter-up items-center gap-3 rounded-box border border-hall-raised bg-hall py-2 pr-2 pl-4 text-hall-content shadow-float">
        <svg viewBox="0 0 36 36" className="size-6 shrink-0 -rotate-90 text-hall-signal" aria-hidden="true">
          <circle cx="18" cy="18" r="15" fill="none" stroke="currentColor" strokeWidth="5" opacity="0.25" />
          <circle
            className="undo-ring"
            style={timing}
            cx="18"
            cy="18"
            r="15"
            fill="none"
            stroke="currentColor"
            strokeWidth="5"
            pathLength="100"
            strokeDasharray="100"
          />
        </svg>
        <output className="min-w-0 flex-1 leading-snug">{text}</output>
        <button
          type="button"
          // The bar comes under a finger that taps twice.
          onClick={({ detail: tap }) => tap < 2 && onUndo()}
          className="btn border-transparent bg-hall-raised text-base text-hall-signal"
        >
          Undo
        </button>
      </div>
    </div>
  )
}

/** Says '2 new', and a press brings them in: the list does not move under a finger. There is no pill at 0. */
export function NewItemsPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <output className="no-print pointer-events-none sticky top-[calc(var(--header-height)+var(--safe-top)+4.5rem)] z-20 flex h-0 items-center justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="touch-target btn btn-primary pointer-events-auto min-h-9 animate-enter-up rounded-full py-1 text-sm shadow-float"
        >
          <ArrowUp className="size-4" />
          {count} new
        </button>
      )}
    </output>
  )
}
