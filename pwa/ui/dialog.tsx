/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- A scrolling box must be reachable by keyboard, and Safari does not do that. */
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react'
import { noteModal } from './modals.ts'
import { IconButton, Button, ButtonRow } from './button.tsx'

export interface DialogProps {
  open: boolean
  /** For Escape, the cross and a press outside; the owner then sets `open` to false. */
  onClose: () => void
  title: ReactNode
  description?: ReactNode | undefined
  children?: ReactNode | undefined
  footer?: ReactNode | undefined
  /** Phones only: `sheet` fills the height, `box` fits its content. */
  shape?: 'sheet' | 'box' | undefined
  /** `alertdialog` is not closed by a press outside. */
  role?: 'dialog' | 'alertdialog' | undefined
  /** Names what is shown. Another subject begins at its title without the dialog being opened again. */
  subject?: number | undefined
}

/** Uses the browser's own modal. The focus starts on the title or `[data-autofocus]`, and returns to where it was. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, description, children, footer, shape = 'sheet', role = 'dialog', subject } = props
  const element = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  const descriptionId = useId()

  // Text that is selected beyond the edge ends in a click on the dialog, too, but begins inside.
  const pressedOutside = useRef(false)
  const onPress = useEffectEvent((event: PointerEvent) => {
    pressedOutside.current = event.target === element.current
  })
  const onOutside = useEffectEvent((event: MouseEvent) => {
    if (event.target === element.current && pressedOutside.current && role === 'dialog') onClose()
  })
  const onCancel = useEffectEvent((event: Event) => {
    event.preventDefault()
    onClose()
  })
  useEffect(() => {
    const dialog = element.current
    if (!dialog || !open) return
    const opener = document.activeElement
    dialog.showModal()
    const leave = noteModal(dialog)
    const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? heading.current
    first?.focus()
    const listening = new AbortController()
    dialog.addEventListener('pointerdown', onPress, listening)
    dialog.addEventListener('click', onOutside, listening)
    dialog.addEventListener('cancel', onCancel, listening)
    return () => {
      listening.abort()
      leave()
      dialog.close()
      // A dialog that has already left the document has not returned the focus.
      if (document.activeElement === document.body && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true })
    }
  }, [open])

  const shownSubject = useRef(subject)
  useEffect(() => {
    if (shownSubject.current === subject) return
    shownSubject.current = subject
    heading.current?.focus()
  }, [subject])

  // The status bar of an app on an iPhone's home screen writes in white, so a sheet begins below a dark strip.
  const size =
    shape === 'sheet'
      ? 'border-hall max-sm:border-t-(length:--safe-top) h-[100dvh] max-h-none w-screen sm:h-auto sm:max-h-[min(46rem,90dvh)] sm:w-[min(40rem,92vw)] sm:rounded-box'
      : 'mb-0 w-screen rounded-t-box max-h-[90dvh] sm:m-auto sm:w-[min(30rem,92vw)] sm:rounded-box'
  return (
    <dialog
      ref={element}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={titleId}
      aria-describedby={description ? descriptionId : undefined}
      className={`m-auto max-w-none overflow-hidden bg-base-100 p-0 text-base-content shadow-float open:animate-enter-up ${size}`}
    >
      {open && (
        // WebKit draws a share of a height that follows from its content as nothing.
        <div className={`flex max-h-[inherit] flex-col ${shape === 'sheet' ? 'h-full' : ''}`}>
          <header
            className={`flex items-start gap-3 ${children ? 'border-b border-base-300' : ''} py-3 pr-2 pl-4 sm:pl-6`}
          >
            <div className="min-w-0 flex-1 py-2">
              <h2 id={titleId} ref={heading} tabIndex={-1} className="text-xl">
                {title}
              </h2>
              {description && (
                <p id={descriptionId} className="mt-1 text-muted">
                  {description}
                </p>
              )}
            </div>
            <IconButton label="Close" onClick={onClose}>
              <X className="size-5" />
            </IconButton>
          </header>
          {children && (
            <section
              key={subject}
              aria-labelledby={titleId}
              tabIndex={0}
              className={`min-h-0 flex-1 overflow-y-auto overscroll-contain p-4 sm:p-6 -outline-offset-4 ${footer ? '' : 'max-sm:pb-[calc(1rem+var(--safe-bottom))]'}`}
            >
              {children}
            </section>
          )}
          {footer && (
            <footer className="border-t border-base-300 p-4 pb-[calc(1rem+var(--safe-bottom))] sm:px-6 sm:pb-4">
              {footer}
            </footer>
          )}
        </div>
      )}
    </dialog>
  )
}

/** Asks before irreversible actions. Cancel comes first and has the focus. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title = 'Are you sure?',
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  pending = false,
  pendingText,
  variant = 'danger',
}: {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  title?: ReactNode | undefined
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string | undefined
  pending?: boolean | undefined
  pendingText?: string | undefined
  variant?: 'danger' | 'primary' | undefined
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={children}
      shape="box"
      role="alertdialog"
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose} data-autofocus>
            {cancelLabel}
          </Button>
          <Button variant={variant} onClick={onConfirm} pending={pending} pendingText={pendingText}>
            {confirmLabel}
          </Button>
        </ButtonRow>
      }
    />
  )
}
