import { Action, Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast'
import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { timings } from '../browser/timings.ts'
import { topmostModal, watchModals } from './modals.ts'
import { dismissToast } from './toast.ts'
import type { ShownToast } from './toast.ts'

// On a phone above the space of the undo bar, which stays within reach; no heading is covered.
const viewport = (
  <Viewport className="pointer-events-none fixed right-(--safe-x) bottom-[calc(5rem+var(--safe-bottom))] left-(--safe-x) z-60 flex flex-col gap-2 p-3 outline-none md:bottom-(--safe-bottom) md:left-auto md:w-[420px] md:p-5 no-print" />
)

export function ToastStack({ toasts }: { toasts: readonly ShownToast[] }) {
  /** A message outside the topmost modal dialog would lie below it and could not be pressed. */
  const modal = useSyncExternalStore(watchModals, topmostModal)
  return (
    <Provider duration={timings.toastMs} swipeDirection="right" swipeThreshold={50}>
      {toasts.map(({ id, open, title, description, variant = 'plain', action }) => (
        <Root
          key={id}
          open={open}
          onOpenChange={(next) => {
            if (!next) dismissToast(id)
          }}
          data-floating
          className={`pointer-events-auto flex items-start gap-2 rounded-box border py-3 pr-2 pl-4 shadow-float data-[state=closed]:animate-leave data-[state=open]:animate-enter-up data-[swipe=cancel]:translate-x-0 data-[swipe=end]:animate-leave data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) ${
            variant === 'destructive'
              ? 'border-error bg-error-soft text-base-content'
              : 'border-base-300 bg-base-100 text-base-content'
          }`}
        >
          <div className="min-w-0 flex-1 py-1.5">
            <Title className={`font-semibold ${variant === 'destructive' ? 'text-error' : ''}`}>{title}</Title>
            {description && <Description className="text-sm">{description}</Description>}
          </div>
          {action && (
            <Action altText={action.label} asChild>
              <button type="button" className="btn btn-ghost text-base text-signal" onClick={action.onClick}>
                {action.label}
              </button>
            </Action>
          )}
          <Close className="btn btn-square btn-ghost" aria-label="Dismiss message">
            <X className="size-5" />
          </Close>
        </Root>
      ))}
      {modal ? createPortal(viewport, modal) : viewport}
    </Provider>
  )
}
