import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'

/** What can be done with everything that is chosen, above the phone's lower edge; the cross lets go of all. */
export function SelectionBar({
  label,
  action,
  children,
  raised = false,
  onClose,
}: {
  /** "3 selected" */
  label: ReactNode
  /** Chooses more or less. */
  action?: ReactNode
  children: ReactNode
  /** Makes room for the undo bar below. */
  raised?: boolean | undefined
  onClose: () => void
}) {
  return (
    <section
      aria-label="Selection"
      className={`no-print pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center p-3 ${raised ? 'pb-[calc(5.75rem+var(--safe-bottom))]' : 'pb-[calc(0.75rem+var(--safe-bottom))]'}`}
    >
      <div className="pointer-events-auto flex w-full max-w-2xl animate-enter-up flex-wrap items-center gap-2 rounded-box border border-edge bg-base-100 p-2 shadow-float">
        <IconButton label="Stop selecting" onClick={onClose}>
          <X aria-hidden="true" className="size-5" />
        </IconButton>
        <output className="min-w-0 flex-1 font-medium tabular-nums">{label}</output>
        {action}
        <div className="flex gap-2 max-sm:basis-full max-sm:[&>*]:flex-1">{children}</div>
      </div>
    </section>
  )
}
