import { Action, Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast'
import { X } from 'lucide-react'
import { dismissToast } from './toast.ts'
import type { ShownToast } from './toast.ts'

export function ToastStack({ toasts }: { toasts: readonly ShownToast[] }) {
  return (
    <Provider duration={5000} swipeDirection="right" swipeThreshold={50}>
      {toasts.map(({ id, open, title, description, variant = 'plain', action }) => (
        <Root
          key={id}
          open={open}
          onOpenChange={(next) => {
            if (!next) dismissToast(id)
          }}
          className={`flex items-start gap-2 rounded-box border py-3 pr-2 pl-4 shadow-float data-[state=closed]:animate-leave data-[state=open]:animate-enter-up data-[swipe=cancel]:translate-x-0 data-[swipe=end]:animate-leave data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) ${
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
          <Close className="btn btn-square btn-ghost" aria-label="Close">
            <X className="size-5" />
          </Close>
        </Root>
      ))}
      {/* On a phone above the space of the undo bar, which stays within reach; no heading is covered. */}
      <Viewport className="fixed right-0 bottom-[calc(5rem+var(--safe-bottom))] z-60 flex w-full flex-col gap-2 p-3 outline-none md:bottom-0 md:max-w-[420px] md:p-5 no-print" />
    </Provider>
  )
}
