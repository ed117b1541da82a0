import type { ReactNode } from 'react'

/**
 * Says what was just decided and offers to take it back, above the phone's lower edge, while the ring empties.
 * `durationMs` is the whole time, `elapsedMs` what is already over; the owner removes the bar when it is up.
 * `waiting` shows no ring: offline the decision has not left and can be undone until it does.
 */
export function UndoBar({
  text,
  onUndo,
  durationMs,
  elapsedMs = 0,
  waiting = false,
  undoLabel = 'Undo',
}: {
  text: ReactNode
  onUndo: () => void
  durationMs: number
  elapsedMs?: number | undefined
  waiting?: boolean | undefined
  undoLabel?: string | undefined
}) {
  const timing = {
    '--undo-duration': `${durationMs}ms`,
    animationDuration: `${durationMs}ms`,
    animationDelay: `-${elapsedMs}ms`,
  }
  return (
    <div className="no-print hall pointer-events-none fixed inset-x-0 bottom-0 z-40 flex justify-center p-3 pb-[calc(0.75rem+var(--safe-bottom))]">
      <div className="pointer-events-auto flex w-full max-w-md animate-enter-up items-center gap-3 rounded-box border border-hall-raised bg-hall py-2 pr-2 pl-4 text-hall-content shadow-float">
        {!waiting && (
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
        )}
        <output className="min-w-0 flex-1 leading-snug">{text}</output>
        <button
          type="button"
          onClick={onUndo}
          className="btn border-transparent bg-hall-raised text-base text-hall-signal"
        >
          {undoLabel}
        </button>
      </div>
    </div>
  )
}
