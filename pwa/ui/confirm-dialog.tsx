import type { ReactNode } from 'react'
import { Button, ButtonRow } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** A question before something that cannot be taken back. Cancel comes first and has the focus. */
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
