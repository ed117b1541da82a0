import { ArrowUp } from 'lucide-react'

/** "2 new": the list did not move under the finger; a press brings them in. Renders nothing at 0. */
export function NewItemsPill({
  count,
  onShow,
  noun = 'new',
}: {
  count: number
  onShow: () => void
  noun?: string | undefined
}) {
  return (
    <output className="no-print pointer-events-none sticky top-[calc(var(--header-height)+var(--safe-top)+4.5rem)] z-20 flex h-0 items-center justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="touch-target btn btn-primary pointer-events-auto min-h-9 animate-enter-up rounded-full py-1 text-sm shadow-float"
        >
          <ArrowUp aria-hidden="true" className="size-4" />
          {count} {noun}
        </button>
      )}
    </output>
  )
}
